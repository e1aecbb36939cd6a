//! Languages of the program, and the choice of the one that the person reads.

use unic_langid::LanguageIdentifier;

/// A language of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified characters.
    Chinese,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// BCP 47 code, such as `zh-CN`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// Language for a BCP 47 tag, such as `zh-Hans-CN`; English for an unknown tag.
    pub fn of_locale(locale: &str) -> Self {
        let asked = locale.parse::<LanguageIdentifier>().unwrap_or_default().language;
        Self::ALL.into_iter().find(|language| language.id().language == asked).unwrap_or_default()
    }

    pub(super) fn id(self) -> LanguageIdentifier {
        self.code().parse().expect("it is a BCP 47 tag, as a test says")
    }

    /// Texts in Fluent's syntax.
    pub(super) fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("../../../../assets/locale/en.ftl"),
            Self::Chinese => include_str!("../../../../assets/locale/zh-CN.ftl"),
        }
    }

    /// Names and help texts of the settings, unless those of their declarations are used.
    pub(super) fn settings(self) -> &'static str {
        match self {
            Self::English => "",
            Self::Chinese => include_str!("../../../../assets/locale/zh-CN.settings.ftl"),
        }
    }

    /// Letters that occur in its texts.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn letters(self) -> impl Iterator<Item = char> {
        self.source().chars().chain(self.settings().chars()).filter(|letter| !letter.is_control())
    }
}
