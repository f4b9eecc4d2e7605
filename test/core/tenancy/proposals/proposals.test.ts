import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, where } from 'renown'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { Proposal } from '../../../../core/tenancy/proposals/Proposal'
import { proposalSweep } from '../../../../core/tenancy/proposals/proposal-sweep'
import { openMax } from '../../../../core/tenancy/proposals/proposeChange'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { appToken } from '../../../support/app-token'
import { type Gate, startGate } from '../../../support/harness'
import { askMcp, callTool, revisions } from '../../../support/mcp'
import { aNote, Note } from '../../../support/notes-plugin'
import { countedNotes, noteChanges } from '../../../support/proposal-process'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let person: Awaited<ReturnType<typeof signedIn>>
let app: Awaited<ReturnType<typeof appToken>>
beforeAll(async () => {
  gate = await startGate({ plugins: countedNotes })
  person = await signedIn(gate)
  app = await appToken(gate, gate.tenant.agencyId)
})
afterAll(() => gate.stop())
beforeEach(() => gate.owner.rows(Proposal).removeWhere(where.in('state', ['open', 'unknown', 'approved'])))

interface Proposed {
  readonly proposal_id: string
  readonly state: string
  readonly effect: string
  readonly deduplicated: boolean
}
const wish = (note_id: string, more: object = {}, reason = 'It is due.') => ({
  change: 'note count',
  reason,
  input: { note_id, ...more },
})
const newNote = () => gate.put(Note, { ...aNote, title: 'Ten <b>chairs</b>' })
const scoreOf = async (id: string) => (await gate.owner.rows(Note).get(id))?.score ?? 0
const rowOf = async (id: string) =>
  (await gate.owner.rows(Proposal).get(id)) as NonNullable<Awaited<ReturnType<typeof readRow>>>
const readRow = (id: string) => gate.owner.rows(Proposal).get(id)

async function propose(body: object, key = gate.tenant.key): Promise<Proposed> {
  const answer = await gate.call('proposeChange', body, { key })
  if (answer.status !== 200) throw new Error(await answer.text())
  return (await answer.json()) as Proposed
}

const page = async (path: string) =>
  (await gate.ask(path, { key: null, headers: { cookie: person.cookie } })).text()

/** Presses a button of the selected inbox entry, or of the page. */
async function press(action: string, fields: Record<string, string>) {
  const form = { csrf: person.session.csrf_token, ...fields }
  const answer = await gate.ask(`/app/${action}`, formOf(form, { cookie: person.cookie }))
  const html = await answer.text()
  const said = /<div class="notice[^>]*>.*?<\/div>/s.exec(html)?.[0].replace(/<[^>]+>/g, ' ') ?? ''
  return `${answer.status} ${said}`.replace(/\s+/g, ' ').trim()
}

async function inInbox(id: string, action: 'act' | 'other') {
  const entry = `proposals~${id}`
  const { state, updated_date } = await rowOf(id)
  return press(`inbox/${action}`, { entry, state: `${state} ${updated_date}` })
}

describe('a proposal', () => {
  test('is stored with its exact input, and changes nothing', async () => {
    const { id } = await newNote()
    const proposed = await propose(wish(id, { text: 'Exactly <this>.' }), app.token)
    expect(proposed).toMatchObject({ state: 'open', deduplicated: false })
    expect(proposed.effect).toBe('Counts the note once more: Exactly <this>.')
    const row = await rowOf(proposed.proposal_id)
    expect(row.input).toEqual({ note_id: id, text: 'Exactly <this>.' })
    expect([row.proposed_by, row.record_id, row.basis]).toEqual(['An app', id, '0'])
    expect(await scoreOf(id)).toBe(0)
  })

  test('is the same in both revisions of MCP, is deduplicated, and its state can be read', async () => {
    const { id } = await newNote()
    const answers = []
    for (const revision of revisions) answers.push(await callTool(gate, revision, 'proposeChange', wish(id)))
    const [first, second] = answers.map(({ structuredContent }) => structuredContent as unknown as Proposed)
    expect(second).toEqual({ ...first, deduplicated: true } as Proposed)
    const read = await gate.ask(`/api/entities/Proposal/${first?.proposal_id}`)
    const shown = (await read.json()) as Record<string, unknown>
    expect([shown.state, shown.change, shown.record_id]).toEqual(['open', 'note count', id])
    for (const hidden of ['input', 'basis', 'digest', 'credential', 'decided_by'])
      expect(shown[hidden]).toBe(undefined)
    const elsewhere = await gate.ask(`/api/entities/Proposal/${first?.proposal_id}`, {
      key: gate.stranger.key,
    })
    expect(elsewhere.status).toBe(403)
  })

  test('counts against the limits of its credential and of the workspace', async () => {
    await propose(wish((await newNote()).id))
    const used = async (key: string) => {
      const { limits } = (await (await gate.call('getLimits', {}, { key })).json()) as {
        limits: { name: string; used: number }[]
      }
      return limits.filter(({ name }) => name.includes('proposals')).map((one) => [one.name, one.used])
    }
    const all = ['open_proposals', 1]
    expect(await used(gate.tenant.key)).toEqual([all, ['own_open_proposals', 1]])
    expect(await used(app.token)).toEqual([all, ['own_open_proposals', 0]])
  })

  test('names each field that is wrong, and takes no text that people cannot see', async () => {
    const { id } = await newNote()
    const faults = async (body: object) => {
      const answer = await gate.call('proposeChange', body)
      const { errors = [] } = (await answer.json()) as { errors?: { pointer: string }[] }
      return [answer.status, ...errors.map(({ pointer }) => pointer)]
    }
    expect(await faults(wish(id, { quietly: true }))).toEqual([422, '/input/quietly'])
    expect(await faults(wish(id, { text: 7 }))).toEqual([422, '/input/text'])
    expect(await faults(wish(id, { text: 'Hello\u202e.' }))).toEqual([422, '/input/text'])
    expect(await faults({ ...wish(id), change: 'note drop' })).toEqual([422, '/change'])
    expect(await faults(wish(id, { text: 'x'.repeat(20_001) }))).toEqual([422, '/input'])
    expect((await faults(wish('not_none')))[0]).toBe(404)
    const elsewhere = await gate.put(Note, aNote, gate.stranger.workspaceId)
    expect((await faults(wish(elsewhere.id)))[0]).toBe(404)
    const unseen = await gate.put(Note, { ...aNote, title: 'Ten\u{e0062}\u{e0061}\u{e0064} chairs' })
    expect(await faults(wish(unseen.id))).toEqual([422, '/input'])
    expect((await faults(wish(unseen.id, { text: 'Seen' })))[0]).toBe(200)
    await gate.owner.rows(Proposal).removeWhere(where.eq('state', 'open'))
    const answer = await gate.call('proposeChange', { ...wish(id), dry_run: true })
    expect(answer.status).toBe(200)
    expect(await gate.owner.rows(Proposal).count(where.eq('state', 'open'))).toBe(0)
  })

  test('needs the scope to write, and waits with a bounded number of others', async () => {
    const { id } = await newNote()
    const reader = await appToken(gate, gate.tenant.agencyId, { scopes: ['read'] })
    expect((await gate.call('proposeChange', wish(id), { key: reader.token })).status).toBe(403)
    for (let n = 0; n < openMax.credential; n++) await propose(wish(id, { text: String(n) }))
    expect((await gate.call('proposeChange', wish(id, { text: 'more' }))).status).toBe(409)
    expect((await propose(wish(id, { text: '0' }))).deduplicated).toBe(true)
    expect((await propose(wish(id, { text: 'more' }), app.token)).deduplicated).toBe(false)
  })
})

describe('a person', () => {
  test('approves it once in the inbox, and the audit log says so', async () => {
    const { id } = await newNote()
    const { proposal_id } = await propose(wish(id, { text: 'Said' }, 'Because <i>it</i> is due.'), app.token)
    const html = await page(`/app/inbox?entry=proposals~${proposal_id}`)
    for (const words of ['Counts the note once more: Said', 'Because &lt;i>it&lt;/i> is due.', 'An app'])
      expect(html).toContain(words)
    expect(html).not.toContain('<i>it</i>')
    expect(await inInbox(proposal_id, 'act')).toStartWith('303')
    expect([await scoreOf(id), (await rowOf(proposal_id)).state]).toEqual([1, 'done'])
    expect(await inInbox(proposal_id, 'act')).not.toStartWith('303')
    expect(await press('proposals/approve', { proposal: proposal_id })).toContain('no longer open')
    expect(await scoreOf(id)).toBe(1)
    const log = await gate.owner
      .rows(AuditEntry)
      .list({ where: where.eq('action', 'workspace.proposal_approve') })
    expect(log.at(-1)).toMatchObject({ user_id: person.userId, record_id: id })
  })

  test('declines it with words for the agent', async () => {
    const { id } = await newNote()
    const { proposal_id } = await propose(wish(id))
    expect(await page(`/app/proposals?proposal=${proposal_id}`)).toContain('Count note')
    expect(await press('proposals/decline', { proposal: proposal_id, note: 'Not this month.' })).toStartWith(
      '303',
    )
    expect(await rowOf(proposal_id)).toMatchObject({ state: 'declined', outcome: 'Not this month.' })
    const other = await propose(wish(id))
    expect(await inInbox(other.proposal_id, 'other')).toStartWith('303')
    expect((await rowOf(other.proposal_id)).state).toBe('declined')
    expect(await scoreOf(id)).toBe(0)
  })

  test('cannot approve what changed since, is over, or belongs to others', async () => {
    const { id } = await newNote()
    const { proposal_id } = await propose(wish(id))
    await gate.owner.rows(Note).update(id, { score: 5 })
    expect(await page(`/app/proposals?proposal=${proposal_id}`)).toContain('It cannot be done any more')
    expect(await inInbox(proposal_id, 'act')).toContain('The record changed after the proposal was made')
    expect(await rowOf(proposal_id)).toMatchObject({ state: 'outdated' })
    const renamed = await propose(wish(id))
    await gate.owner.rows(Note).update(id, { title: 'Eleven chairs' })
    expect(await propose(wish(id))).toMatchObject({
      deduplicated: false,
      effect: 'Counts the note once more: Eleven chairs',
    })
    expect(await inInbox(renamed.proposal_id, 'act')).toContain('The record changed')
    const refused = await propose(wish(id, { text: 'conflict' }))
    expect(await inInbox(refused.proposal_id, 'act')).toContain('Somebody was faster')
    expect((await rowOf(refused.proposal_id)).state).toBe('outdated')
    expect(await scoreOf(id)).toBe(5)

    // Another agency, and another workspace of the own agency that the person has not opened.
    const { stranger, tenant } = gate
    for (const [workspace, key] of [
      [stranger.workspaceId, stranger.key],
      [tenant.otherWorkspaceId, tenant.key],
    ] as const) {
      const theirs = await gate.put(Note, aNote, workspace)
      const answer = await gate.call('proposeChange', wish(theirs.id), { key, workspace })
      const { proposal_id: foreign } = (await answer.json()) as Proposed
      for (const action of ['approve', 'decline'])
        expect(await press(`proposals/${action}`, { proposal: foreign })).not.toStartWith('303')
      for (const action of ['act', 'other'] as const)
        expect(await inInbox(foreign, action)).not.toStartWith('303')
      expect([(await rowOf(foreign)).state, await scoreOf(theirs.id)]).toEqual(['open', 0])
    }
  })

  test('is asked when nobody can say whether it was done', async () => {
    const sweep = () => proposalSweep(noteChanges).run(gate.owner, new AbortController().signal)
    const { id } = await newNote()
    const before = await propose(wish(id, { text: 'fault before' }))
    expect(await inInbox(before.proposal_id, 'act')).toStartWith('500')
    expect((await rowOf(before.proposal_id)).state).toBe('approved')
    gate.clock.advance(61_000)
    await sweep()
    expect(await rowOf(before.proposal_id)).toMatchObject({ state: 'open', outcome: expect.any(String) })

    const after = await propose(wish(id, { text: 'fault after' }))
    expect(await inInbox(after.proposal_id, 'act')).toStartWith('500')
    gate.clock.advance(61_000)
    await sweep()
    expect((await rowOf(after.proposal_id)).state).toBe('unknown')
    expect(await page(`/app/inbox?entry=proposals~${after.proposal_id}`)).toContain('It was not made')
    expect(await inInbox(after.proposal_id, 'act')).toStartWith('303')
    expect([(await rowOf(after.proposal_id)).state, await scoreOf(id)]).toEqual(['done', 1])
  })
})

test('no credential decides about a proposal, over no door', async () => {
  const { id } = await newNote()
  const { proposal_id } = await propose(wish(id))
  const reader = await appToken(gate, gate.tenant.agencyId, { scopes: ['read'] })
  const fields = { proposal: proposal_id, csrf: person.session.csrf_token }
  const { updated_date } = await rowOf(proposal_id)
  const entry = { entry: `proposals~${proposal_id}`, state: `open ${updated_date}`, csrf: fields.csrf }
  for (const key of [gate.tenant.key, gate.platform.key, app.token, reader.token]) {
    for (const action of ['proposals/approve', 'proposals/decline'])
      await gate.ask(`/app/${action}`, { ...formOf(fields), key })
    for (const action of ['inbox/act', 'inbox/other'])
      await gate.ask(`/app/${action}`, { ...formOf(entry), key })
    for (const name of ['approveProposal', 'noteCount', 'note count', 'decideProposal'])
      expect((await gate.call(name, { proposal_id, note_id: id }, { key })).status).not.toBe(200)
    for (const method of ['PUT', 'PATCH', 'POST', 'DELETE']) {
      const answer = await gate.ask(`/api/entities/Proposal/${proposal_id}`, {
        method,
        key,
        body: { state: 'done' },
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    for (const revision of revisions)
      expect(
        (await askMcp(gate, revision, 'tools/call', { name: 'approveProposal', arguments: fields }, { key }))
          .ok && (await rowOf(proposal_id)).state !== 'open',
      ).toBe(false)
  }
  expect([(await rowOf(proposal_id)).state, await scoreOf(id)]).toEqual(['open', 0])
})

test('a proposal that nobody decides about expires, and an inactive workspace approves none', async () => {
  const { id } = await newNote()
  const { proposal_id } = await propose(wish(id))
  await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { is_active: false })
  await press('proposals/approve', { proposal: proposal_id })
  await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { is_active: true })
  expect(await scoreOf(id)).toBe(0)
  gate.clock.advance(15 * dayMs)
  person = await signedIn(gate, { email: 'later@example.com' })
  expect(await press('proposals/approve', { proposal: proposal_id })).toContain('expired')
  await proposalSweep(noteChanges).run(gate.owner, new AbortController().signal)
  expect([(await rowOf(proposal_id)).state, await scoreOf(id)]).toEqual(['expired', 0])
})
