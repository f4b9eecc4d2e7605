import { day, defineEntity, instant, text } from 'renown'
import * as v from 'valibot'

/** An entity with a field of every kind, for tests of filters and stores. */
export const Sample = defineEntity({
  name: 'Sample',
  summary: 'One field of every kind',
  idPrefix: 'smp',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  fields: {
    location_id: v.string(),
    stage: v.picklist(['new', 'contacted', 'won', 'lost']),
    kind: v.optional(v.nullable(v.string())),
    score: v.optional(v.nullable(v.number())),
    rank: v.optional(v.pipe(v.number(), v.integer())),
    is_open: v.optional(v.boolean()),
    is_archived: v.boolean(),
    seen_at: v.optional(v.nullable(instant())),
    removed_at: v.optional(instant()),
    due: v.optional(day()),
    title: v.optional(text(2000)),
    tags: v.optional(v.array(v.string())),
    numbers: v.optional(v.array(v.number())),
    author: v.optional(
      v.object({
        handle: v.string(),
        followers: v.optional(v.nullable(v.number())),
        at: v.optional(instant()),
      }),
    ),
    people: v.optional(v.array(v.object({ name: v.string(), met_at: v.optional(instant()) }))),
    raw: v.optional(v.record(v.string(), v.unknown())),
    secret: v.optional(v.string()),
    unique_key: v.optional(v.string()),
    expires_at: v.optional(instant()),
    attempts: v.optional(v.pipe(v.number(), v.integer())),
  },
  hidden: ['secret', 'attempts'],
  opaque: ['raw'],
  searchable: ['title', 'tags'],
  sortable: ['created_date', 'score', 'rank', 'stage', 'title', 'seen_at', 'due', 'is_open'],
  indexes: [
    { on: ['stage'] },
    { on: ['-score'] },
    { on: ['location_id', 'stage'] },
    { on: ['unique_key'], unique: true },
    { on: ['kind', 'rank'], unique: true, where: { is_open: true } },
    { on: ['expires_at'], ttlSeconds: 3600 },
  ],
  except: { is_archived: true },
  exceptSet: ['removed_at'],
})

/** `Sample` with counts and sums, which a killed process must leave exact. */
export const CountedSample: typeof Sample = {
  ...Sample,
  counts: { by: ['stage', 'kind'] },
  daySums: { on: 'created_date', by: ['stage'], values: ['attempts'], set: ['kind'] },
}
