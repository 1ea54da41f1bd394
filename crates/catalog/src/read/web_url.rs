//! Which addresses are opened: http and https, whole.

use url::{ParseError, Url};

use crate::diagnostic::Code;
use crate::model::UrlFault;
use crate::report::quote;

/// Reads an address.
pub(super) fn web_url(text: Option<&str>) -> Result<Url, UrlFault> {
    let Some(text) = text else { return Err(UrlFault::Missing) };
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(_) => Err(UrlFault::Scheme(quote(text))),
        Err(ParseError::RelativeUrlWithoutBase) => Err(UrlFault::Relative(quote(text))),
        Err(error) => Err(UrlFault::Invalid(quote(text), error)),
    }
}

/// The code under which a fault is told.
pub(super) fn code_of(fault: &UrlFault) -> Code {
    match fault {
        UrlFault::Missing => Code::AppUrlMissing,
        UrlFault::Relative(_) => Code::AppUrlRelative,
        UrlFault::Scheme(_) => Code::AppUrlScheme,
        UrlFault::Invalid(..) => Code::AppUrlInvalid,
    }
}

/// Whether an address may be handed to a page as a picture.
pub(super) fn is_picture(text: &str) -> bool {
    match web_url(Some(text)) {
        Ok(_) | Err(UrlFault::Relative(_)) => true,
        Err(UrlFault::Scheme(_)) => {
            text.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_web_addresses() {
        for good in ["http://localhost:4100/?a=b#c", "HTTPS://x.example", " https://x.example "] {
            assert!(web_url(Some(good)).is_ok(), "{good}");
        }
        for (bad, code) in [
            ("/html/index.html", Code::AppUrlRelative),
            ("//host/path", Code::AppUrlRelative),
            ("index.html", Code::AppUrlRelative),
            ("", Code::AppUrlRelative),
            ("javascript:alert(1)", Code::AppUrlScheme),
            (" java\nscript:alert(1)", Code::AppUrlScheme),
            ("data:text/html,x", Code::AppUrlScheme),
            ("file:///etc/passwd", Code::AppUrlScheme),
            ("blob:http://x/1", Code::AppUrlScheme),
            ("localhost:4100", Code::AppUrlScheme),
            ("http://", Code::AppUrlInvalid),
            ("http://a b/", Code::AppUrlInvalid),
            ("http://x:99999", Code::AppUrlInvalid),
        ] {
            assert_eq!(code_of(&web_url(Some(bad)).unwrap_err()), code, "{bad}");
        }
    }

    #[test]
    fn pictures_may_be_data() {
        assert!(is_picture("/icon.png") && is_picture("data:image/png;base64,AA"));
        assert!(!is_picture("javascript:alert(1)") && !is_picture("data:text/html,x"));
    }
}
