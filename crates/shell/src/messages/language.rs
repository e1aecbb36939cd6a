//! Which languages there are, and which one the person reads.

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
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Its code, such as `zh-CN`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The one for a BCP 47 tag, such as `zh-Hans-CN`; English for what is not known.
    pub fn of_locale(locale: &str) -> Self {
        let asked = locale.parse::<LanguageIdentifier>().unwrap_or_default().language;
        Self::ALL.into_iter().find(|language| language.id().language == asked).unwrap_or_default()
    }

    pub(super) fn id(self) -> LanguageIdentifier {
        self.code().parse().expect("it is a BCP 47 tag, as a test says")
    }

    /// The texts.
    pub(super) fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("../../../../assets/locale/en.ftl"),
            Self::Chinese => include_str!("../../../../assets/locale/zh-CN.ftl"),
        }
    }

    /// What the settings are called and mean, where that is not what their declarations say.
    pub(super) fn settings(self) -> &'static str {
        match self {
            Self::English => "",
            Self::Chinese => include_str!("../../../../assets/locale/zh-CN.settings.ftl"),
        }
    }

    /// The letters that its texts are written with.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn letters(self) -> impl Iterator<Item = char> {
        self.source().chars().chain(self.settings().chars()).filter(|letter| !letter.is_control())
    }
}
