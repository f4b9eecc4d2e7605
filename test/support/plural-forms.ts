/** Returns the plural forms that a language has, such as `one` and `other`. */
export const pluralFormsOf = (language: string): readonly string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories
