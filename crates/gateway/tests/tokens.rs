//! Tokens: whose are accepted, and for how long.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RsaKeyPair};
use deskwire_gateway::auth::Authenticator;
use deskwire_gateway::broker::{Denial, Grant, Login};
use deskwire_gateway::{AccessKey, Admission, InstanceGrant, LinkInfo, TokenError, Tokens};
use deskwire_wire::{Authentication, Identity};
use jsonwebtoken::{Algorithm, EncodingKey, Header, get_current_timestamp};
use serde_json::{Value, json};

fn tokens() -> Tokens {
    Tokens::new(&[7; 32]).unwrap()
}

fn login(tokens: &Tokens, method: &str, token: &str) -> Result<Login, Denial> {
    let authentication = Authentication {
        method: Some(method.to_owned()),
        token: Some(token.to_owned()),
        ..Authentication::default()
    };
    let link = LinkInfo::socket(None, Admission::Anonymous);
    Authenticator::new(Some("secret".into()), tokens.clone()).authenticate(
        &link,
        Some(&authentication),
        &Identity::default(),
    )
}

fn signed(algorithm: Algorithm, key: &EncodingKey, claims: &Value) -> String {
    jsonwebtoken::encode(&Header::new(algorithm), claims, key).unwrap()
}

fn pem(der: &[u8]) -> Vec<u8> {
    use std::fmt::Write as _;
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("-----BEGIN PUBLIC KEY-----\n");
    for (index, bytes) in der.chunks(3).enumerate() {
        let bits = bytes.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - bytes.len()));
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            let letter = if digit <= bytes.len() { DIGITS[value as usize] as char } else { '=' };
            text.push(letter);
        }
        if index % 16 == 15 {
            text.push('\n');
        }
    }
    let _ = write!(text, "\n-----END PUBLIC KEY-----\n");
    text.into_bytes()
}

#[test]
fn access_tokens_of_configured_keys_are_accepted() {
    let ec = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let ec_key = EncodingKey::from_ec_der(ec.to_pkcs8v1().unwrap().as_ref());
    let rsa = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let rsa_private: Pkcs8V1Der<'_> = rsa.as_der().unwrap();
    // The key itself, without what says that it is one of RSA.
    let rsa_key = EncodingKey::from_rsa_der(&rsa_private.as_ref()[26..]);
    let hs_key = EncodingKey::from_secret(b"shared").unwrap();
    let ec_public: PublicKeyX509Der<'_> = ec.public_key().as_der().unwrap();
    let rsa_public: PublicKeyX509Der<'_> = rsa.public_key().as_der().unwrap();
    let tokens = tokens().with_access_keys(vec![
        AccessKey::hs256(b"shared").unwrap(),
        AccessKey::es256(&pem(ec_public.as_ref())).unwrap(),
        AccessKey::rs256(&pem(rsa_public.as_ref())).unwrap(),
    ]);
    let soon = get_current_timestamp() + 60;
    let ago = get_current_timestamp() - 3_600;
    for (algorithm, key, claims, expected) in [
        (Algorithm::HS256, &hs_key, json!({"user": "ann", "exp": soon}), Some("ann")),
        (Algorithm::HS256, &hs_key, json!({"sub": "ben", "exp": soon, "aud": "desk"}), Some("ben")),
        (Algorithm::ES256, &ec_key, json!({"sub": "cat", "exp": soon}), Some("cat")),
        (Algorithm::RS256, &rsa_key, json!({"sub": "dan", "exp": soon}), Some("dan")),
        (Algorithm::HS256, &hs_key, json!({"user": "ann", "exp": ago}), None),
        (Algorithm::HS256, &hs_key, json!({"user": "ann"}), None),
        (Algorithm::HS256, &hs_key, json!({"exp": soon}), None),
    ] {
        let token = signed(algorithm, key, &claims);
        let got = login(&tokens, "access-token", &token).ok().and_then(|login| login.login);
        assert_eq!(got.as_deref(), expected, "{claims}");
        // It is no gateway token, whoever signed it.
        assert!(login(&tokens, "gateway-token", &token).is_err());
    }
    let foreign = EncodingKey::from_secret(b"another").unwrap();
    let token = signed(Algorithm::HS256, &foreign, &json!({"user": "eve", "exp": soon}));
    assert!(login(&tokens, "access-token", &token).is_err());
    assert!(AccessKey::rs256(b"no key").unwrap_err().to_string().contains("RS256"));
}

#[test]
fn tokens_outlive_a_restart_with_the_same_key_and_die_with_another() {
    let before = tokens();
    let grant = InstanceGrant { instance: "i1".into(), application: "app".into() };
    let token = before.mint_instance(grant).unwrap();
    let after = tokens();
    let denial = login(&after, "gateway-token", &token).unwrap_err();
    assert!(denial.reason.contains("the instance i1 is not running"), "{}", denial.reason);
    after.admit_instance("i1");
    let grant = login(&after, "gateway-token", &token).unwrap().grant;
    assert_eq!(grant, Grant::Instance { instance: "i1".into(), application: "app".into() });

    let other = Tokens::ephemeral().unwrap();
    other.admit_instance("i1");
    assert!(login(&other, "gateway-token", &token).is_err());
}

#[test]
fn an_instance_is_adopted_by_its_own_token_alone() {
    let before = tokens();
    let grant = |instance: &str, application: &str| InstanceGrant {
        instance: instance.into(),
        application: application.into(),
    };
    let token = before.mint_instance(grant("i1", "app")).unwrap();
    let after = tokens();
    let foreign = Tokens::ephemeral().unwrap().mint_instance(grant("i1", "app")).unwrap();
    let user = before.mint_user("me", Some("app".into())).unwrap();
    let of = |instance, application| after.adopt(&token, &grant(instance, application));
    assert!(matches!(of("i2", "app"), Err(TokenError::OtherInstance(_))));
    assert!(matches!(of("i1", "other"), Err(TokenError::OtherInstance(_))));
    let adopt = |token: &str| after.adopt(token, &grant("i1", "app"));
    assert!(matches!(adopt(&foreign), Err(TokenError::Invalid(_))));
    assert!(matches!(adopt(&format!("{token}x")), Err(TokenError::Invalid(_))));
    assert!(matches!(adopt(""), Err(TokenError::Invalid(_))));
    assert!(matches!(adopt(&user), Err(TokenError::OtherKind)));
    let denial = login(&after, "gateway-token", &token).unwrap_err();
    assert!(denial.reason.contains("the instance i1 is not running"), "{}", denial.reason);

    adopt(&token).unwrap();
    let granted = login(&after, "gateway-token", &token).unwrap().grant;
    assert_eq!(granted, Grant::Instance { instance: "i1".into(), application: "app".into() });
    after.revoke_instance("i1");
    assert!(login(&after, "gateway-token", &token).is_err());
}

#[test]
fn a_weak_key_is_refused() {
    assert!(matches!(Tokens::new(b"short"), Err(TokenError::WeakKey(5))));
}

#[test]
fn a_user_token_ends_and_is_not_to_be_changed() {
    let tokens = tokens();
    let token = tokens.mint_user("me", Some("app".into())).unwrap();
    let grant = login(&tokens, "gateway-token", &token).unwrap().grant;
    assert_eq!(grant, Grant::Application { application: "app".into() });
    // The same claims, an hour ago.
    let key = EncodingKey::from_secret(&[7; 32]).unwrap();
    let claims =
        json!({"type": "authentication", "user": "me", "exp": get_current_timestamp() - 1});
    assert!(login(&tokens, "gateway-token", &signed(Algorithm::HS256, &key, &claims)).is_err());
    // Signed by nobody.
    let header = token.split('.').next().unwrap();
    let unsigned = format!("{header}.{}.", token.split('.').nth(1).unwrap());
    assert!(login(&tokens, "gateway-token", &unsigned).is_err());
}

#[test]
fn nothing_secret_shows() {
    let tokens = tokens().with_access_keys(vec![AccessKey::hs256(b"s3cret").unwrap()]);
    let secret = Some("s3cret".to_owned());
    let config = deskwire_gateway::Config {
        user: "me".into(),
        secret: secret.clone(),
        limits: Default::default(),
    };
    let login = login(&tokens, "gateway-token", &tokens.mint_user("me", None).unwrap()).unwrap();
    let shown = format!(
        "{tokens:?} {config:?} {login:?} {:?} {:?}",
        AccessKey::hs256(b"s3cret").unwrap(),
        Authenticator::new(secret, tokens.clone()),
    );
    assert!(
        !shown.contains("s3cret") && !shown.contains("eyJ") && !shown.contains("115, 51"),
        "{shown}"
    );
}
