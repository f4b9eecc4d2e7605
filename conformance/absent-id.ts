/** Prefixes of ids by record type. Others get `loc`. */
const prefixes: Readonly<Record<string, string>> = {
  Review: 'rev',
  Mention: 'mnt',
  Lead: 'led',
  Post: 'pst',
  Report: 'rpt',
  Workspace: 'wsp',
  AiTrafficSite: 'sit',
}

const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns a new id that no record has: 130 random bits in the form of an id. */
export function absentId(type: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26))
  return `${prefixes[type] ?? 'loc'}_${Array.from(bytes, (byte) => signs[byte & 31]).join('')}`
}

/** Returns an id that no record has, in the form of another id. */
export const absentLike = (id: string): string => `${id.slice(0, 3)}${absentId('').slice(3)}`
