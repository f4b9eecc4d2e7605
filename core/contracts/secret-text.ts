/**
 * Renown's keys, tokens, codes and links. Not a site's key, which is public: the site's own pages contain it.
 */
const form = /rnw_(?!site_)([a-z]+)_[0-9A-Za-z]{20,}/g

/** Removes secrets from a text for logs and answers, for example a token that was sent in a path. */
export const withoutSecrets = (text: string): string =>
  text.includes('rnw_') ? text.replace(form, 'rnw_$1_…') : text
