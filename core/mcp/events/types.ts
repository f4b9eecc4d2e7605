import type { AnyEventType } from '../../contracts/event-type'
import { jsonSchemaOf } from '../../kit/json-schema'
import { oncePer } from '../../kit/once-per'
import { type Words, wordsOf } from '../../kit/words'
import type { Registry } from '../../registry/registry'
import { cutProperties } from '../operation-tool'
import { type ObjectSchema, withProperties } from '../schema'
import { workspaceArgument } from '../tool'

/** A type of events as clients list it, without the ways of delivery. */
interface EventListing {
  readonly name: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly payloadSchema: ObjectSchema
}

/** A type of events: how it is listed, and who wrote the texts of its payload. */
export interface OfferedEvents {
  readonly listing: EventListing
  readonly words: Words
}

const subscriptionSchema: ObjectSchema = {
  type: 'object',
  properties: {
    ...workspaceArgument,
    location_id: { type: 'string', description: 'Only events about this location: its id, name or domain.' },
  },
  additionalProperties: false,
}

const aboutProperties = {
  workspace_id: { type: 'string', description: 'Workspace of the event.' },
  location_id: { type: 'string', description: 'Location that it is about.' },
  entity: { type: 'string', description: 'Record type that it is about. Read it with get_record.' },
  entity_id: { type: 'string', description: 'Id of that record.' },
  untrusted: cutProperties.untrusted,
}

/** Returns all types of events by name, compiled once. */
export const offeredEvents: (registry: Registry) => ReadonlyMap<string, OfferedEvents> = oncePer(
  ({ eventTypes }: Registry) =>
    new Map(
      [...eventTypes.keys()].sort().map((name) => [name, offered(eventTypes.get(name) as AnyEventType)]),
    ),
)

function offered({ name, summary, data }: AnyEventType): OfferedEvents {
  const listing: EventListing = {
    name,
    description: summary,
    inputSchema: subscriptionSchema,
    payloadSchema: withProperties(jsonSchemaOf(data), aboutProperties),
  }
  return { listing, words: payloadWords(wordsOf(data)) }
}

/** What core adds to the data of an event is ids and names of record types. */
function payloadWords(words: Words): Words {
  if (typeof words !== 'object' || !('fields' in words)) return words
  const added = Object.keys(aboutProperties).map((name) => [name, 'ours'] as const)
  return { fields: new Map([...words.fields, ...added]), others: words.others }
}
