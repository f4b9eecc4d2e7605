import type { Row } from 'renown'
import type { Mention } from '../records/Mention'

/** Returns the digest of the text that a person answers. */
export const basisOf = ({ title, body }: Pick<Row<typeof Mention>, 'title' | 'body'>): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([title ?? '', body]))
    .digest('hex')
    .slice(0, 24)
