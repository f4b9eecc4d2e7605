import {
  defineEntity,
  defineOperation,
  definePlugin,
  field,
  foreignEntity,
  instant,
  text,
  where,
} from 'renown'
import * as v from 'valibot'

const describe = <S extends v.GenericSchema<string>>(schema: S, words: string) =>
  v.pipe(schema, v.description(words))

/** A record with something of everything that the gate treats in its own way. */
export const Note = defineEntity({
  name: 'Note',
  summary: 'A note for tests of the gate',
  idPrefix: 'not',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    title: describe(text(200), 'Title'),
    stage: v.pipe(v.picklist(['new', 'done']), v.description('Stage')),
    score: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100), v.description('Score')),
    ),
    secret: v.pipe(v.string(), v.description('Never sent')),
    seen_at: v.optional(v.pipe(instant(), v.description('When it was seen'))),
    slug: v.optional(describe(text(80), 'Unique name')),
    is_archived: v.pipe(v.boolean(), v.description('Put away <b>out of sight</b>')),
    removed_at: v.optional(v.pipe(instant(), v.description('When its source let it go'))),
  },
  hidden: ['secret'],
  searchable: ['title'],
  sortable: ['created_date', 'score', 'title'],
  indexes: [{ on: ['stage'] }, { on: ['slug'], unique: true }],
  except: { is_archived: true },
  exceptSet: ['removed_at'],
})

const ForeignNote = foreignEntity('Note', { title: v.string() })

const note = v.object({
  id: v.pipe(v.string(), v.description('Id')),
  title: v.pipe(v.string(), v.description('Title')),
  slug: v.optional(v.pipe(v.string(), v.description('Unique name'))),
})
const titled = v.strictObject({
  title: v.pipe(v.string(), v.minLength(1), v.description('Title')),
  slug: v.optional(v.pipe(v.string(), v.description('Unique name'))),
})

export const countNotes = defineOperation({
  name: 'countNotes',
  summary: 'Counts the notes of a stage',
  class: 'read',
  crossAgency: 'allowed',
  input: v.strictObject({
    stage: v.optional(v.pipe(v.picklist(['new', 'done']), v.description('Stage')), 'new'),
  }),
  output: v.object({ count: v.pipe(v.number(), v.description('How many')) }),
  run: async (ctx, { stage }) => ({ count: await ctx.rows(Note).count(where.eq('stage', stage)) }),
})

export const draftNote = defineOperation({
  name: 'draftNote',
  summary: 'Saves a note',
  class: 'draft',
  crossAgency: 'own',
  input: titled,
  output: note,
  run: (ctx, input) =>
    ctx.rows(Note).insert({ ...input, stage: 'new', secret: 'a secret of the draft', is_archived: false }),
})

export const markNotes = defineOperation({
  name: 'markNotes',
  summary: 'Stamps notes as seen',
  class: 'mark',
  crossAgency: 'own',
  input: v.strictObject({
    ids: field.batch('Note', 200, 'Ids of notes'),
  }),
  output: v.object({ stamped: v.pipe(v.array(v.string()), v.description('Ids that were stamped now')) }),
  run: async (ctx, { ids }) => ({ stamped: await ctx.rows(Note).stamp(ids, 'seen_at') }),
})

export const notes = definePlugin({
  name: 'notes',
  renown: '^1.0.0',
  entities: [Note],
  operations: [countNotes, draftNote, markNotes],
  feeds: {
    titles: { summary: 'Titles of all notes', run: async (ctx) => ctx.rows(Note).count() },
    titled: {
      summary: 'Notes of a title',
      takes: v.strictObject({ title: v.string() }),
      run: async (ctx, { title }) => ctx.rows(Note).count(where.eq('title', title)),
    },
  },
})

/** Another plugin, that reads notes by name and once tries to write them. */
export const readers = definePlugin({
  name: 'readers',
  renown: '^1.0.0',
  reads: [ForeignNote],
  operations: [
    defineOperation({
      name: 'readTitles',
      summary: 'Reads what another plugin owns',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({ rows: v.pipe(v.array(v.unknown()), v.description('Rows as they are seen here')) }),
      run: async (ctx) => ({ rows: await ctx.rows(ForeignNote).list() }),
    }),
    defineOperation({
      name: 'writeForeign',
      summary: 'Tries to write what another plugin owns',
      class: 'draft',
      crossAgency: 'own',
      input: v.strictObject({
        by: v.pipe(v.picklist(['name', 'declaration']), v.description('How it is reached')),
      }),
      output: v.object({ id: v.pipe(v.string(), v.description('Id')) }),
      run: (ctx, { by }) => {
        const row = { title: 'x', stage: 'new' as const, secret: '', is_archived: false }
        return by === 'name' ? ctx.rows(ForeignNote).insert(row as never) : ctx.rows(Note).insert(row)
      },
    }),
  ],
})

/** What a note needs at least. */
export const aNote = { title: 'A note', stage: 'new', secret: 'top-secret-text', is_archived: false } as const
