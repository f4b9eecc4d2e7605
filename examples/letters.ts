import { defineEntity, defineOperation, definePlugin, field, type Row, requireRow, where } from 'renown'
import { defineDraft, draftInputs } from 'renown/sending'
import * as v from 'valibot'

const replaced = v.object({ text: field.text('Its text'), by: v.optional(field.code('Who wrote it')) })

/** A letter that a person sends. */
export const Letter = defineEntity({
  name: 'Letter',
  summary: 'A letter to a customer',
  idPrefix: 'ltr',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: { who: { name: ['recipient'] }, erase: 'row' },
  fields: {
    location_id: field.text('Business that sends it'),
    recipient: field.text('Who gets it'),
    draft: v.optional(field.text('Draft of the letter')),
    draft_by: v.optional(field.code('Who wrote the draft')),
    replaced: v.optional(v.pipe(replaced, v.description('The draft that the last one replaced'))),
  },
  hidden: ['replaced'],
  sortable: ['created_date'],
})

const letterDraft = defineDraft({
  name: 'draft',
  textOf: (letter: Row<typeof Letter>) => letter.draft,
  replacedOf: (letter) => letter.replaced,
})

/** Drafts a letter, and stores it. Only people can send it. */
export const draftLetter = defineOperation({
  name: 'draftLetter',
  summary: 'Draft a letter, or save your own text',
  class: 'draft',
  crossAgency: 'own',
  input: v.strictObject({
    letter_id: field.reference('Letter', 'Id of the letter'),
    ...draftInputs('letter', 2_000),
  }),
  output: v.object({ draft: field.text('The draft, as saved'), generator: field.code('Who wrote it') }),
  async run(ctx, { letter_id, ...wish }) {
    const letters = ctx.rows(Letter)
    const letter = await requireRow(letters, 'letter', letter_id)
    const template = { text: `Dear ${letter.recipient}, thank you.`, generator: 'template:v1' }
    const { text, generator } = letterDraft.own(letter, wish) ?? template
    const { draft, draft_by: by } = letter
    const before = draft === undefined ? {} : { replaced: { text: draft, ...(by ? { by } : {}) } }
    const isAsRead = where.eq('draft', draft ?? null)
    await letterDraft.replace(letters, letter_id, { draft: text, draft_by: generator, ...before }, isAsRead)
    return { draft: text, generator }
  },
})

export default definePlugin({
  name: 'letters',
  renown: '^1.0.0',
  entities: [Letter],
  operations: [draftLetter],
})
