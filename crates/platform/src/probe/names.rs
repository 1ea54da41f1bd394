//! Names of hosts as browsers know them.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// To a browser every name below `localhost` is this machine; to many systems it is not.
#[derive(Debug)]
pub(super) struct LikeABrowser;

impl Resolve for LikeABrowser {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            if is_local(name.as_str()) {
                let both = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
                let addresses = both.map(|address| SocketAddr::new(address, 0));
                return Ok(Box::new(addresses.into_iter()) as Addrs);
            }
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs)
        })
    }
}

fn is_local(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}
