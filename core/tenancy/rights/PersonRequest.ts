import * as v from 'valibot'
import type { Row } from '../../contracts/entity'
import { identifierKinds } from '../../contracts/people'
import { defineEntity, field } from '../../kit'

const key = v.object({
  kind: v.picklist(identifierKinds),
  words: v.number(),
  digest: v.string(),
  quick: v.number(),
})
const ids = v.record(v.string(), v.array(v.string()))

/**
 * Internal: a search for one person, and their erasure. It has no identifier of the person, only digests under a salt. After the
 * erasure it is what keeps the person from coming back, so it is never removed.
 */
export const PersonRequest = defineEntity({
  name: 'PersonRequest',
  summary: 'A search for one person, and their erasure',
  idPrefix: 'prq',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: 'nobody',
  fields: {
    agency_id: field.text('Agency whose data are searched'),
    state: field.oneOf(['searching', 'found', 'erasing', 'erased'], 'How far it is'),
    step: field.oneOf(['people', 'texts', 'rows', 'tables', 'end'], 'The step that is next while it works'),
    rounds: field.integer('How often rows were searched again after they were erased', { min: 0 }),
    salt: field.text('Secret under which the digests are made'),
    keys: v.pipe(v.array(key), v.description('Digests of the identifiers')),
    about: v.pipe(ids, v.description('Ids of rows about the person, by record type')),
    named: v.pipe(ids, v.description('Ids of rows in which a text names the person, by record type')),
    tables: v.pipe(
      v.record(v.string(), v.number()),
      v.description('Number of values that name the person, by table'),
    ),
    marks: field.texts('Hashes of parts of what the person wrote. Removed with the erasure'),
    blocked: field.texts('Digests of things outside that must not come back as they were'),
    kept: field.texts('Ids of rows about somebody else, which a person excluded'),
    done: field.texts('Record types that the current step has done'),
    found: v.pipe(
      v.record(v.string(), v.object({ about: v.number(), named: v.number() })),
      v.description('Number of rows by record type: about the person, and naming the person'),
    ),
    requested_by: field.text('Id of the person who asked, or `command line`'),
    host: field.text('Origin where it was asked, or `command line`'),
    noted_in: field.texts('Folders of backups that have a note of the erasure'),
    missing_in: field.texts('Folders of backups that could not be reached'),
    erased_at: v.optional(field.instant('When everything was erased')),
    expires_at: v.optional(field.instant('When a search that was not followed by an erasure is removed')),
  },
  namedIn: { arguments: ['request_id'], names: [], domains: [] },
  opaque: ['keys', 'about', 'named', 'tables', 'found'],
  sortable: ['created_date'],
  indexes: [{ on: ['state'] }, { on: ['expires_at'], ttlSeconds: 0 }],
})

/** A stored request. */
export type PersonRequestRow = Row<typeof PersonRequest>

/** Ids of rows, by record type. */
export type FoundIds = Record<string, string[]>
