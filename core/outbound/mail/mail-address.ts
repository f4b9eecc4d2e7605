const lengthMax = 254

/**
 * Returns whether a text is one e-mail address and nothing else. A list, a display name, a comment or a line break is refused:
 * a mail library would read a second recipient out of them.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= lengthMax && /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[^\s@<>()[\],;:\\"\p{Cc}]{1,253}$/u.test(text)
