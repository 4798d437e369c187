//! Enums whose values have names: engines, statuses, formats. One mechanism for all.

#![forbid(unsafe_code)]

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// A type whose values have names. Implemented by [`named_enum!`](crate::named_enum).
pub trait Named: Copy + Eq + Send + Sync + 'static {
    /// The name of the type in messages: `engine`, `status`, `format`.
    const KIND: &'static str;

    /// Every value, in the order in which help lists them. 64 at most.
    const ALL: &'static [Self];

    /// The value's name, in lower case, without spaces.
    fn name(self) -> &'static str;

    /// The meaning of the value in a few words.
    fn summary(self) -> &'static str;

    /// The place of the value in [`Self::ALL`].
    fn place(self) -> usize;

    /// The value of a name.
    ///
    /// # Errors
    /// If no value has this name.
    fn by_name(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().find(|value| value.name() == name);
        let names = Self::ALL.iter().map(|value| value.name());
        found.copied().ok_or_else(|| UnknownName::among(Self::KIND, names, name))
    }
}

/// No value of the type has this name.
///
/// ```
/// use ninefold_core::Status;
///
/// let error = "ok".parse::<Status>().unwrap_err();
/// assert_eq!((error.kind, error.found.as_str()), ("status", "ok"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of name: `engine`, `status`, `format`.
    pub kind: &'static str,
    /// The names that exist, separated by commas.
    pub expected: String,
    /// The name that does not exist.
    pub found: String,
}

impl UnknownName {
    /// None of `names` is `found`.
    pub(crate) fn among(
        kind: &'static str,
        names: impl IntoIterator<Item = &'static str>,
        found: &str,
    ) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        Self { kind, expected: names.join(", "), found: found.to_owned() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of {}, found '{}'", self.expected, self.found)
    }
}

impl core::error::Error for UnknownName {}

/// A set of named values.
#[derive(Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct NameSet<T>(u64, PhantomData<T>);

impl<T: Named> NameSet<T> {
    /// No value.
    pub const EMPTY: Self = Self(0, PhantomData);

    /// Every value.
    pub const ALL: Self = {
        assert!(matches!(T::ALL.len(), 1..=64), "a bit for each value");
        Self(u64::MAX >> (64 - T::ALL.len()), PhantomData)
    };

    /// The set of these values.
    pub fn of(values: &[T]) -> Self {
        values.iter().fold(Self::EMPTY, |set, &value| set.with(value))
    }

    /// The set with one more value.
    pub fn with(self, value: T) -> Self {
        Self(self.0 | Self::bit(value), PhantomData)
    }

    /// Whether the set holds a value.
    pub fn contains(self, value: T) -> bool {
        self.0 & Self::bit(value) != 0
    }

    /// The values of the set, in their order.
    pub fn values(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(move |&value| self.contains(value))
    }

    fn bit(value: T) -> u64 {
        1 << value.place()
    }
}

impl<T: Named> fmt::Display for NameSet<T> {
    /// The names, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.values().map(T::name).collect::<Vec<_>>().join(","))
    }
}

impl<T: Named> fmt::Debug for NameSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// Makes an enum whose values have names: [`Named`](crate::names::Named), `Display`, `FromStr`.
///
/// A variant may begin with one `#[cfg(…)]`, and then with `@default` for the `Default`.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $visible:vis enum $type:ident, $kind:literal {
            $(
                $(#[cfg($cfg:meta)])?
                $(@$default:ident)?
                $variant:ident = $name:literal, $summary:literal;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible enum $type {
            $(
                $(#[cfg($cfg)])?
                #[doc = concat!("`", $name, "`: ", $summary, ".")]
                $variant,
            )+
        }

        impl $type {
            /// Every value, in the order in which help lists them.
            pub const ALL: &'static [Self] = &[$($(#[cfg($cfg)])? Self::$variant,)+];

            /// The value's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => $name,)+
                }
            }

            /// The meaning of the value in a few words.
            pub const fn summary(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => $summary,)+
                }
            }
        }

        impl $crate::names::Named for $type {
            const KIND: &'static str = $kind;
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn summary(self) -> &'static str {
                self.summary()
            }

            #[inline]
            fn place(self) -> usize {
                self as usize
            }
        }

        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                <Self as $crate::names::Named>::by_name(name)
            }
        }

        $($(impl Default for $type {
            /// The value that is used unless another is requested.
            fn $default() -> Self {
                Self::$variant
            }
        })?)+
    };
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro makes public enums")]
mod tests {
    use super::*;
    use alloc::string::ToString;

    named_enum! {
        /// A colour.
        pub enum Colour, "colour" {
            Red = "red", "like blood";
            #[cfg(any())]
            Grey = "grey", "like a screen that hangs";
            @default Blue = "blue", "like the sky";
        }
    }

    #[test]
    fn values_have_names_and_sets() {
        assert_eq!((Colour::Red.name(), Colour::default().to_string()), ("red", "blue".into()));
        assert_eq!((Colour::KIND, Colour::Red.summary()), ("colour", "like blood"));
        assert_eq!("red".parse(), Ok(Colour::Red));
        let error = "grey".parse::<Colour>().unwrap_err();
        assert_eq!(error.to_string(), "expected one of red, blue, found 'grey'");
        let red = NameSet::of(&[Colour::Red]);
        assert!(red.contains(Colour::Red) && !red.contains(Colour::Blue));
        assert_eq!(red.with(Colour::Blue), NameSet::ALL);
    }
}
