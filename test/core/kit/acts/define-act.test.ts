import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { OAuthGrant } from '../../../../core/auth/oauth/grants/OAuthGrant'
import { isRefusal, Refusal } from '../../../../core/contracts/errors'
import type { OwnerContext } from '../../../../core/contracts/owner'
import type { ActionContext } from '../../../../core/contracts/page'
import {
  actCommands,
  actForEach,
  actForm,
  actsOnPage,
  chosenAct,
  defineAct,
  defineOperatorCommand,
  defineReading,
  field,
  shownActs,
} from '../../../../core/kit'
import { actsOfPrint } from '../../../../core/kit/acts/define-act'
import { isReading } from '../../../../core/kit/define-reading'
import { isOperatorCommand } from '../../../../core/kit/operator-command'
import { Agency } from '../../../../core/tenancy/Agency'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { Note } from '../../../support/notes-plugin'

const scoreNote = defineAct({
  name: 'note tag',
  summary: 'Score a note',
  on: { entity: Note, field: 'note_id', called: 'note', hint: 'Look at the list.' },
  fields: {
    score: field.integer('The score', { min: 1, max: 9 }),
    tags: v.optional(field.texts('Labels'), []),
    loud: v.optional(field.flag('Tell people'), false),
    why: v.optional(field.text('Why')),
  },
  seen: { was: v.optional(v.string(), '') },
  positional: ['score'],
  label: 'Score note',
  done: { scored: 'Note scored.', same: 'It had this score.' },
  undo: 'note reset',
  audit: {
    action: 'workspace.note_score',
    what: ({ score }) => `Note scored ${score}`,
    subject: (_, row) => row.title,
    isHistory: true,
  },
  proposal: {
    takes: ['score'],
    prepare: async (_, { note_id, score }) => ({
      input: { note_id, score, tags: [], loud: false },
      basis: 'as 1',
      record: { entity: 'Note', id: String(note_id) },
      title: 'Score',
      effect: 'Scores it',
      href: '/app/notes',
    }),
    seen: (basis) => ({ was: basis.slice(-1) }),
  },
  run: async (_, { row, input, seen }) =>
    row.score === input.score
      ? { answer: {}, isChanged: false, said: 'same' }
      : { answer: { ...input, seen: seen ?? null }, queued: 'act_1', shown: input.loud ? 'loud' : undefined },
})

const hideNote = defineAct({
  name: 'note hold',
  summary: 'Hold a note',
  on: { entity: Note, field: 'note_id', called: 'note' },
  fields: { why: field.text('Why') },
  label: 'Hold note',
  done: 'Note held.',
  isPageOnly: true,
  run: async (_, { input }) => ({ answer: { ...input } }),
})

const row = { id: 'not_1', workspace_id: 'wsp_1', title: 'Milk', score: 3 }

/** Contexts that know one note, and keep what is recorded. */
function world() {
  const audit: unknown[] = []
  const rows = () => ({ get: async (id: string) => (id === row.id ? row : null) })
  const by = { host: 'here', user_id: 'usr_1' }
  const owner = { rows, by, recordAudit: async (event: unknown) => void audit.push(event) }
  return {
    audit,
    owner: owner as unknown as OwnerContext,
    page: { rows, owner } as unknown as ActionContext,
  }
}

const sent = (form: object) => v.parse(scoreNote.form.input, form)

describe('the command of an act', () => {
  test('takes the id of its record first, and has the help of its fields', () => {
    const { command } = scoreNote
    const { entries } = command.input as unknown as { entries: object }
    expect([command.name, command.summary, command.positional]).toEqual([
      'note tag',
      'Score a note',
      ['note_id', 'score'],
    ])
    expect(Object.keys(entries)).toEqual(['note_id', 'score', 'tags', 'loud', 'why'])
  })

  test('answers what the act answers, and nothing was seen', async () => {
    const { owner, audit } = world()
    const typed = { note_id: 'not_1', score: 5, tags: [], loud: false }
    expect(await scoreNote.command.run(owner, typed)).toEqual({ score: 5, tags: [], loud: false, seen: null })
    expect(audit).toEqual([
      {
        workspace_id: 'wsp_1',
        action: 'workspace.note_score',
        what: 'Note scored 5',
        by: { host: 'here', user_id: 'usr_1' },
        subject: 'Milk',
        record_id: 'not_1',
      },
    ])
  })

  test('writes down what was done to an agency, or to what belongs to one, for the agency', async () => {
    const { owner, audit } = world()
    const of = { id: 'con_1', workspace_id: 'agc_1', agency_id: 'agc_1', client_name: 'Chat' }
    const rows = () => ({ get: async (id: string) => (id === of.id ? of : { id }) })
    const said = { label: 'End', done: 'It ended.', run: async () => ({ answer: {} }) }
    const endApp = defineAct({
      ...said,
      name: 'app end',
      summary: 'End it',
      on: { entity: OAuthGrant, field: 'grant_id', called: 'app' },
      audit: { action: 'app.end', what: 'Ended', isOfCredential: true as const },
    })
    const endAgency = defineAct({
      ...said,
      name: 'agency end',
      summary: 'End it',
      on: { entity: Agency, field: 'agency_id', called: 'agency' },
      audit: { action: 'workspace.end', what: 'Ended' },
    })
    const endWorkspace = defineAct({
      ...said,
      name: 'workspace end',
      summary: 'End it',
      on: { entity: Workspace, field: 'workspace_id', called: 'workspace' },
      audit: { action: 'workspace.end', what: 'Ended' },
    })
    const reading = { ...owner, rows } as unknown as OwnerContext
    await endApp.command.run(reading, { grant_id: 'con_1' })
    await endAgency.command.run(reading, { agency_id: 'agc_2' })
    await endWorkspace.command.run(reading, { workspace_id: 'wsp_2' })
    expect(audit).toEqual([
      { agency_id: 'agc_1', action: 'app.end', what: 'Ended', credential: 'con_1', by: owner.by },
      { agency_id: 'agc_2', action: 'workspace.end', what: 'Ended', by: owner.by },
      { workspace_id: 'wsp_2', action: 'workspace.end', what: 'Ended', by: owner.by },
    ])
  })

  test('names a record that does not exist, with the hint', async () => {
    const refused = await scoreNote.command.run(world().owner, { note_id: 'not_2' }).catch((error) => error)
    expect(isRefusal(refused) && [refused.message, refused.details.hint]).toEqual([
      'There is no note not_2.',
      'Look at the list.',
    ])
  })

  test('is left out of the shell where the act is only for pages', () => {
    expect(actCommands([scoreNote, hideNote])).toEqual([scoreNote.command])
  })
})

test('what was so already is not recorded', async () => {
  const { owner, audit } = world()
  await scoreNote.command.run(owner, { note_id: 'not_1', score: 3, tags: [], loud: false })
  expect(audit).toEqual([])
})

describe('the form of an act', () => {
  test('sends texts, which become the same input', async () => {
    const { page, audit } = world()
    const form = { note: 'not_1', score: ' 5 ', tags: 'a', loud: 'yes', why: '', was: '3' }
    const input = sent(form)
    expect(input).toEqual({ note: 'not_1', score: 5, tags: ['a'], loud: true, was: '3' })
    expect(await scoreNote.form.run(page, input)).toEqual({ shown: 'loud', said: 'scored' })
    expect(audit).toHaveLength(1)
  })

  test.each(['', 'x', '0', '10', '1.5', '1e1'])('refuses the number %j', (score) => {
    expect(v.safeParse(scoreNote.form.input, { note: 'not_1', score }).success).toBe(false)
  })

  test('says the sentence that the act chose', async () => {
    const { page } = world()
    expect(await scoreNote.form.run(page, sent({ note: 'not_1', score: '3' }))).toEqual({ said: 'same' })
    expect(await hideNote.form.run(page, { note: 'not_1', why: 'x' })).toEqual({})
    expect([scoreNote.form.done, hideNote.form.done]).toEqual(['Note scored.', 'Note held.'])
  })

  test('finds the record only in the workspace of the person', async () => {
    const elsewhere = { ...world().page, rows: () => ({ get: async () => null }) } as unknown as ActionContext
    const run = async () => scoreNote.form.run(elsewhere, sent({ note: 'not_1', score: '5' }))
    await expect(run()).rejects.toEqual(new Refusal('not_found', 'There is no such note in this workspace.'))
  })

  test('finds what the person belongs to without an id', async () => {
    const own = defineAct({
      ...hideNote.declared,
      on: { ...hideNote.declared.on, ofPerson: () => 'not_1' },
    })
    const { page, owner } = world()
    const asked = { ...page, system: owner } as ActionContext
    expect(v.safeParse(own.form.input, { why: 'x' }).success).toBe(true)
    expect(await own.form.run(asked, { why: 'x' })).toEqual({})
  })
})

describe('the proposal of an act', () => {
  test('has the words of its button, and takes the record and the named fields', () => {
    expect(scoreNote.command.proposal).toMatchObject({ label: 'Score note', takes: ['note_id', 'score'] })
  })

  test('is done as the person saw it, once, with the audit entry', async () => {
    const { owner, audit } = world()
    const { proposal } = scoreNote.command
    const change = await proposal?.prepare(owner as never, { note_id: 'not_1', score: 5 })
    expect(change && (await proposal?.run(owner, change))).toBe('act_1')
    expect(audit).toHaveLength(1)
  })
})

const copyNote = defineAct({
  name: 'note copy',
  summary: 'Copy a note',
  on: { ...hideNote.declared.on, choose: 'Choose a note.' },
  label: 'Copy note',
  done: 'Note copied.',
  fields: { why: field.text('Why'), token: v.optional(field.text('Token')) },
  files: { token: 'one token' },
  sure: 'Tick the box to copy it.',
  audit: {
    action: 'workspace.note_copy',
    what: ({ why }, { title }, { by }) => `${title} copied: ${why} at ${by?.host}`,
    subject: (_, __, ___, { created }) => String(created),
  },
  run: async (_, { input }) => {
    if (input.why === 'no') throw new Refusal('conflict', 'No.')
    return { answer: { ...input }, created: `not_${input.why}`, shown: input.token }
  },
})

describe('an act that people confirm in a box', () => {
  const given = { note: 'not_1', why: '2' }
  const refused = (form: object) =>
    (async () => copyNote.form.run(world().page, v.parse(copyNote.form.input, form)))().catch(
      (error) => error,
    )

  test('is done by a form only with the box, and by the shell without it', async () => {
    expect((await refused(given)).details.errors).toEqual([
      { pointer: '/sure', code: 'required', message: 'Tick the box to copy it.' },
    ])
    const { page, owner, audit } = world()
    expect(await copyNote.form.run(page, { ...given, sure: 'yes' })).toEqual({})
    expect(await copyNote.command.run(owner, { note_id: 'not_1', why: '3' })).toEqual({ why: '3' })
    expect(audit).toMatchObject([
      { what: 'Milk copied: 2 at here', subject: 'not_2' },
      { what: 'Milk copied: 3 at here', subject: 'not_3' },
    ])
  })

  test('says beside the field of its record that none is chosen', async () => {
    const faults = v.safeParse(copyNote.form.input, { why: '2', sure: 'yes' }).issues
    expect(faults?.map(({ message }) => message)).toEqual(['Choose a note.'])
    expect((await refused({ ...given, note: 'not_2', sure: 'yes' })).details.errors).toMatchObject([
      { pointer: '/note', message: 'Choose a note.' },
    ])
  })
})

describe('a field with a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-act-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is a path in the shell and a text in the form', async () => {
    const path = join(folder, 'token')
    writeFileSync(path, 'tkn_1\n')
    const { entries } = copyNote.command.input as unknown as { entries: object }
    expect(Object.keys(entries)).toEqual(['note_id', 'why', 'token_file'])
    expect(Object.keys((copyNote.form.input as unknown as { entries: object }).entries)).toEqual([
      'note',
      'why',
      'token',
      'sure',
    ])
    const run = (token_file: string) =>
      copyNote.command.run(world().owner, { note_id: 'not_1', why: '2', token_file })
    expect(await run(path)).toEqual({ why: '2', token: 'tkn_1' })
    writeFileSync(path, 'tkn_1\ntkn_2')
    expect((await run(path).catch((error) => error)).message).toEndWith('must contain exactly one token.')
  })
})

describe('acts on a page', () => {
  test('can go to what they created', async () => {
    const going = actForm(copyNote, 'copied', {
      fields: { place: v.string() },
      to: ({ place }, word, { created }) => `/${place}/${word}/${created}`,
    })
    const sent = { place: 'here', note: 'not_1', why: '2', sure: 'yes' }
    expect(await going.run(world().page, v.parse(going.input, sent))).toEqual({ to: '/here/copied/not_2' })
  })

  test('can be done for each item of a list, also after a refused one', async () => {
    const each = actForEach(copyNote, {
      field: 'reasons',
      list: v.array(v.string()),
      gives: ['why'],
      given: (why) => ({ why }),
      after: (outcomes) => ({
        shown: outcomes.map((one) => ('refusal' in one ? one.refusal.message : one.made.created)),
      }),
    })
    const sent = v.parse(each.input, { note: 'not_1', sure: 'yes', reasons: ['2', 'no', '3', '2'] })
    const { page, audit } = world()
    expect(await each.run(page, sent)).toEqual({ shown: ['not_2', 'No.', 'not_3'] })
    expect([audit.length, actsOfPrint(each)]).toEqual([2, [copyNote]])
  })

  test('are forms by name, with the sentences after them', () => {
    expect(actsOnPage({ score: scoreNote, hide: hideNote })).toEqual({
      actions: { score: scoreNote.form, hide: hideNote.form },
      notices: { scored: 'Note scored.', same: 'It had this score.', hide: 'Note held.' },
    })
  })

  test('can share a form with two buttons; Enter does the one that is named last', async () => {
    const either = chosenAct('do', { score: scoreNote, hide: hideNote }, 'hide')
    const form = { note: 'not_1', score: '5', why: 'x' }
    const run = (more: object) => either.run(world().page, v.parse(either.input, { ...form, ...more }))
    expect(await run({ do: 'score' })).toEqual({ said: 'scored' })
    expect(await run({})).toEqual({})
  })

  test('are known by what was printed from them', () => {
    expect([scoreNote.command, scoreNote.form, {}].map(actsOfPrint)).toEqual([[scoreNote], [scoreNote], []])
  })
})

test('a form that only reads gets no system context', async () => {
  const reading = defineReading({
    auth: 'session',
    input: v.strictObject({}),
    run: async (ctx) => ({ shown: Object.keys(ctx) }),
  })
  expect(await reading.run(world().page, {})).toEqual({ shown: ['rows', 'outside'] })
  expect([isReading(reading), isReading(hideNote.form)]).toEqual([true, false])
})

const tagNotes = defineAct({
  name: 'note sync',
  summary: 'Sync a note',
  on: {
    entity: Note,
    field: 'note_id',
    called: 'note',
    inShell: {
      areOptions: true,
      fields: { note_id: v.optional(v.string()) },
      find: (ctx, { note_id = 'not_1' }) => ctx.rows(Note).get(String(note_id)),
    },
  },
  fields: { to: field.text('Where'), times: v.optional(field.integer('How often', { min: 1, max: 9 }), 2) },
  shellFields: ['times'],
  positional: ['to'],
  label: 'Sync note',
  done: { new: 'Synced.', again: 'Synced again.' },
  audit: {
    action: { new: 'workspace.note_sync', again: 'workspace.note_resync' },
    what: { new: 'Note synced', again: 'Note synced again' },
  },
  run: async (_, { input }) => ({ answer: { ...input }, said: input.times > 2 ? 'again' : 'new' }),
})

describe('an act of which the shell takes more than a form', () => {
  test('has options for its record, after its own fields', async () => {
    const { command } = tagNotes
    const { entries } = command.input as unknown as { entries: object }
    expect([command.positional, Object.keys(entries)]).toEqual([['to'], ['to', 'times', 'note_id']])
    expect(await command.run(world().owner, { to: 'a', times: 3 })).toEqual({ to: 'a', times: 3 })
  })

  test('is done by a form with the defaults of what only the shell takes', async () => {
    const { page, audit } = world()
    expect(v.safeParse(tagNotes.form.input, { note: 'not_1', to: 'a', times: '3' }).success).toBe(false)
    expect(await tagNotes.form.run(page, { note: 'not_1', to: 'a' })).toEqual({ said: 'new' })
    expect(shownActs({ sync: tagNotes }).sync.fields.map(({ name }) => name)).toEqual(['to'])
    expect(audit).toMatchObject([{ action: 'workspace.note_sync', what: 'Note synced' }])
  })

  test('has the audit entry of what it said', async () => {
    const { owner, audit } = world()
    await tagNotes.command.run(owner, { to: 'a', times: 3 })
    expect(audit).toMatchObject([{ action: 'workspace.note_resync', what: 'Note synced again' }])
  })
})

test('a command of operators cannot record an audit entry', async () => {
  const ask = defineOperatorCommand({
    name: 'note refresh',
    summary: 'Refresh all notes',
    input: v.strictObject({}),
    async run(ctx) {
      await ctx.recordAudit({ workspace_id: 'wsp_1', action: 'site.refresh', what: 'Refreshed', by: ctx.by })
      return {}
    },
  })
  const { owner, audit } = world()
  expect(ask.run(owner, {})).rejects.toThrow('records no audit entry')
  expect([audit, isOperatorCommand(ask), isOperatorCommand(tagNotes.command)]).toEqual([[], true, false])
})
