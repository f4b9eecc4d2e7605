const lengthMax = 254

/**
 * Whether a text is exactly one e-mail address. Lists, display names, comments and line breaks are refused,
 * because a mail library could find a second recipient in them.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= lengthMax && /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[^\s@<>()[\],;:\\"\p{Cc}]{1,253}$/u.test(text)
