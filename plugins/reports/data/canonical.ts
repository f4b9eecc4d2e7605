import { canonicalJson } from 'renown/sources'

/**
 * Returns the canonical JSON of the data of a report. Lone surrogates become U+FFFD, so that every reader gets the same
 * text.
 */
export const reportJson = (data: unknown): string => canonicalJson(data, (text) => text.toWellFormed())

/** Returns the SHA-256 of the data of a report as canonical JSON, in hexadecimal. */
export const hashOf = (data: unknown): string =>
  new Bun.CryptoHasher('sha256').update(reportJson(data)).digest('hex')
