import type { AnyEventType, RecordedEvent } from '../contracts/event-type'
import { type Words, wordsOf } from '../kit/words'

/** Maximum bytes of a message to a callback. */
const messageBytesMax = 256 * 1_024

/** Ids of records and names of lists. Whatever else a text says, no model should read it. */
const codeForm = /^[\w./:-]{1,120}$/

/**
 * Returns the JSON of an event for the callback of an agent: ids, numbers and closed words. Texts that somebody else
 * may have written are left out.
 */
export function callbackBody(types: readonly AnyEventType[], event: RecordedEvent): string {
  const { id, type, occurred_at, data, seq: _, ...about } = event
  const words = wordsOf((types.find(({ name }) => name === type) as AnyEventType).data)
  const bodyOf = (thin: object) =>
    JSON.stringify({
      eventId: id,
      name: type,
      timestamp: occurred_at,
      data: { ...thin, ...about },
      cursor: id,
    })
  const body = bodyOf(withoutTexts(data, words) as object)
  return Buffer.byteLength(body) <= messageBytesMax ? body : bodyOf({})
}

function withoutTexts(part: unknown, words: Words): unknown {
  if (typeof part === 'string')
    return words === 'ours' || (words === 'code' && codeForm.test(part)) ? part : undefined
  if (part === null || typeof part !== 'object') return part
  if (Array.isArray(part)) {
    const inside = typeof words === 'object' && 'items' in words ? words.items : 'theirs'
    return part.map((item) => withoutTexts(item, inside)).filter((item) => item !== undefined)
  }
  const named = typeof words === 'object' && 'fields' in words ? words : null
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => {
      const kept = withoutTexts(value, named?.fields.get(name) ?? named?.others ?? 'theirs')
      return kept === undefined ? [] : [[name, kept]]
    }),
  )
}
