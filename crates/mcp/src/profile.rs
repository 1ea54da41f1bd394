//! What a client declared, as far as it decides what the client sees.

use std::fmt;
use std::ops::BitOr;
use std::str::FromStr;

/// A set of client capabilities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Profile(u8);

impl Profile {
    /// The client declared nothing.
    pub const NONE: Self = Self(0);
    /// The client answers sampling requests.
    pub const SAMPLING: Self = Self(1);
    /// The client answers elicitation requests with a form.
    pub const ELICITATION: Self = Self(1 << 1);
    /// The client shows MCP Apps.
    pub const UI: Self = Self(1 << 2);
    /// The client brings the working context itself.
    pub const WORKING_CONTEXT: Self = Self(1 << 3);
    /// Every capability there is.
    pub const ALL: Self = Self(0b1111);
    /// Number of different profiles.
    pub(crate) const COUNT: usize = 16;

    const NAMES: [(Self, &'static str); 4] = [
        (Self::SAMPLING, "sampling"),
        (Self::ELICITATION, "elicitation"),
        (Self::UI, "ui"),
        (Self::WORKING_CONTEXT, "workingContext"),
    ];

    /// Whether every capability of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The capabilities of this set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The capabilities that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// A number below [`Profile::COUNT`] that no other profile has.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every profile there is, in the order of [`Profile::index`].
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=Self::ALL.0).map(Self)
    }

    /// The set of this profile alone.
    pub(crate) const fn alone(self) -> Profiles {
        Profiles(1 << self.0)
    }
}

/// A set of profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Profiles(u16);

impl Profiles {
    /// Whether the profile is in it.
    pub(crate) const fn contain(self, profile: Profile) -> bool {
        self.include(profile.alone())
    }

    /// Whether all of `other` are in it.
    pub(crate) const fn include(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The profiles of both.
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOr for Profile {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The names, separated by commas; `nothing` for the empty set.
impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Self::NAMES.iter().filter(|(one, _)| self.contains(*one));
        match names.next() {
            Some((_, first)) => f.write_str(first)?,
            None => return f.write_str("nothing"),
        }
        names.try_for_each(|(_, name)| write!(f, ",{name}"))
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Profile({self})")
    }
}

/// A name that is none of a capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no client capability; known are sampling, elicitation, ui, workingContext")]
pub struct UnknownCapability(String);

/// Names separated by commas, as [`Profile`] displays them.
impl FromStr for Profile {
    type Err = UnknownCapability;

    fn from_str(text: &str) -> Result<Self, UnknownCapability> {
        let names = text.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "nothing"));
        names.into_iter().try_fold(Self::NONE, |profile, name| {
            let known = Self::NAMES.iter().find(|(_, known)| *known == name);
            known.map(|(one, _)| profile | *one).ok_or_else(|| UnknownCapability(name.to_owned()))
        })
    }
}

/// Which clients a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// What the client must declare.
    pub present: Profile,
    /// What the client must not declare.
    pub absent: Profile,
}

impl Needs {
    /// For every client.
    pub const NOTHING: Self = Self { present: Profile::NONE, absent: Profile::NONE };

    /// For clients that declare this.
    #[must_use]
    pub const fn present(profile: Profile) -> Self {
        Self { present: profile, absent: Profile::NONE }
    }

    /// The profiles of these clients.
    pub(crate) fn admitted(&self) -> Profiles {
        let admitted = Profile::all().filter(|profile| self.admit(*profile));
        admitted.fold(Profiles::default(), |all, profile| all.with(profile.alone()))
    }

    /// Whether a client of this profile is one of them.
    #[must_use]
    pub const fn admit(&self, profile: Profile) -> bool {
        profile.contains(self.present) && profile.and(self.absent).0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_read_as_they_are_written() {
        for index in 0..Profile::COUNT {
            let profile = Profile(u8::try_from(index).unwrap());
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
        assert_eq!("ui, sampling".parse(), Ok(Profile::UI | Profile::SAMPLING));
        assert_eq!("".parse(), Ok(Profile::NONE));
        assert!("roots".parse::<Profile>().unwrap_err().to_string().contains("`roots`"));
    }

    #[test]
    fn needs_are_presence_and_absence() {
        let needs = Needs { present: Profile::UI, absent: Profile::WORKING_CONTEXT };
        for (profile, admitted) in [
            (Profile::NONE, false),
            (Profile::UI, true),
            (Profile::UI | Profile::SAMPLING, true),
            (Profile::ALL, false),
        ] {
            assert_eq!(needs.admit(profile), admitted, "{profile}");
        }
    }
}
