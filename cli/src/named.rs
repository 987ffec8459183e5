//! Types with one text for each value, on the command line, in JSON and in messages.

/// Serializes a type by its text: `Display` and `FromStr`.
#[macro_export]
macro_rules! serde_by_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Names the values of an enum: `NAMES`, `Display`, `FromStr` and serde.
#[macro_export]
macro_rules! named {
    ($type:ident: $($value:ident = $name:literal $(| $alias:literal)?),+) => {
        impl $type {
            /// The names of all values.
            pub const NAMES: &[&str] = &[$($name),+];
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($type::$value => $name),+ })
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                match text {
                    $($name $(| $alias)? => Ok($type::$value),)+
                    _ => Err(format!("expected {}", $crate::text::alternatives($type::NAMES))),
                }
            }
        }

        $crate::serde_by_text!($type);
    };
}
