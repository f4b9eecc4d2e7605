import { dayMs, field, type Row, visibleRow } from 'renown'
import * as v from 'valibot'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'

/** The longest text of a lead in a list, in UTF-16 units. */
const textMax = 200

/** The longest answer without a `limit`, in characters of JSON. It fits into one answer to an agent. */
export const answerMax = 32_000

/** The fields of a mention that a list shows. Reading the mention returns the others. */
const mentionFields = [
  ...(['source', 'url', 'title', 'excerpt', 'language', 'posted_at', 'sentiment'] as const),
  ...(['relevance', 'status'] as const),
] as const

const { source, url, title, excerpt, language, posted_at, sentiment, relevance, status } = Mention.fields
const author = v.object({
  handle: field.text('Name under which the author writes'),
  name: v.optional(field.text('Display name')),
})

/** The schema of a mention in a list of leads. */
export const mentionInList = v.object({
  id: field.code('Identifier of the mention. Reading it returns the whole text and all other fields'),
  ...{ source, url, title, excerpt, language },
  author: v.pipe(author, v.description('Who wrote it')),
  ...{ posted_at, sentiment, relevance, status },
})

type MentionInList = v.InferOutput<typeof mentionInList>
type LeadInList = Row<typeof Lead> & {
  readonly post_age_days: number | null
  readonly mention: MentionInList | null
}

/** Returns a lead and its mention without empty fields, and with short texts. */
export function shortLead(row: Row<typeof Lead>, mention: Row<typeof Mention> | null, now: Date): LeadInList {
  const { contacts: _, ...lead } = visibleRow(Lead, row)
  const post_age_days = ageOf(row.mention_posted_at ?? mention?.posted_at, now)
  return { ...short(lead), post_age_days, mention: mention && shortMention(mention) }
}

/** Returns the age of a post in days. What a lead says of it is as old as the lead. */
const ageOf = (at: string | undefined, now: Date): number | null =>
  at === undefined ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / dayMs))

function shortMention(mention: Row<typeof Mention>): MentionInList {
  const { id, author: by } = mention
  const chosen = Object.fromEntries(mentionFields.map((name) => [name, mention[name]]))
  return short({ id, ...chosen, author: short({ handle: by.handle, name: by.name }) }) as MentionInList
}

/** Returns the first leads that fit into an answer, and at least one. */
export function fittingLeads(leads: readonly LeadInList[]): LeadInList[] {
  let size = 0
  const end = leads.findIndex((lead) => {
    size += JSON.stringify(lead).length + 1
    return size > answerMax
  })
  return leads.slice(0, end === -1 ? undefined : Math.max(1, end))
}

/** Leaves out optional fields without a value, and shortens texts other than addresses. */
function short<T extends object>(row: T): T {
  const entries = Object.entries(row).filter(
    ([name, value]) => name === 'handle' || (value !== null && value !== undefined && value !== ''),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, shortText(name, value)])) as T
}

function shortText(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || name === 'url' || value.length <= textMax) return value
  return `${value.slice(0, textMax).toWellFormed()}… [${value.length - textMax} more characters]`
}
