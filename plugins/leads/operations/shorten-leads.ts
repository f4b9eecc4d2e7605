import type { ShortAnswer } from 'renown'

/** The longest text of a lead in a short list, in UTF-16 units. */
const textMax = 200

/** The fields of a mention that a short list shows. Reading the mention returns the others. */
const mentionFields = ['id', 'source', 'url', 'title', 'excerpt', 'language', 'author', 'posted_at'] as const
const judgedFields = ['sentiment', 'relevance', 'status'] as const

type Fields = Readonly<Record<string, unknown>>

/** Returns leads without empty fields and with short texts, each with the excerpt of its mention. */
export function shortLeads<A extends { readonly leads: readonly object[] }>(answer: A): ShortAnswer | null {
  if (answer.leads.length === 0) return null
  return {
    answer: { ...answer, leads: answer.leads.map((lead) => shortLead(lead as Fields)) },
    left: 'Leads and mentions are short here. get_record returns whole texts and all fields of Lead and Mention.',
  }
}

function shortLead({ contacts: _, post_age_days, mention, ...lead }: Fields): Fields {
  return { ...short(lead), post_age_days, mention: mention ? shortMention(mention as Fields) : null }
}

function shortMention(mention: Fields): Fields {
  const chosen = Object.fromEntries([...mentionFields, ...judgedFields].map((name) => [name, mention[name]]))
  const { handle, name } = (mention.author ?? {}) as Fields
  return short({ ...chosen, author: short({ handle, name }) })
}

/** Leaves out optional fields without a value, and shortens texts other than addresses. */
function short(row: Fields): Fields {
  const entries = Object.entries(row).filter(
    ([name, value]) => name === 'handle' || (value !== null && value !== undefined && value !== ''),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, shortText(name, value)]))
}

function shortText(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || name === 'url' || value.length <= textMax) return value
  return `${value.slice(0, textMax).toWellFormed()}… [${value.length - textMax} more characters]`
}
