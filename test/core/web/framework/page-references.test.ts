import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { type Gate, startGate } from '../../../support/harness'
import { Note } from '../../../support/notes-plugin'
import { counterPage, withPages } from '../../../support/pages'
import { sampleRow } from '../../../support/sample-row'
import { signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie: string
const ids = { own: '', other: '', foreign: '' }
beforeAll(async () => {
  gate = await startGate({ plugins: [withPages(counterPage)] })
  cookie = (await signedIn(gate)).cookie
  const put = async (workspace: string) =>
    String((await gate.put(BusinessLocation, sampleRow(BusinessLocation, 'x') as never, workspace)).id)
  ids.own = await put(gate.tenant.workspaceId)
  ids.other = await put(gate.tenant.otherWorkspaceId)
  ids.foreign = await put(gate.stranger.workspaceId)
})
afterAll(() => gate?.stop())

const unknownNote = `${Note.idPrefix}_00000000000000000000000000`
const unknown = 'loc_00000000000000000000000000'
const browse = (path: string) => gate.ask(path, { key: null, headers: { cookie } })

describe('a page whose address names a record', () => {
  test('is shown if the workspace has it, and whatever else the address says', async () => {
    for (const search of [`location=${ids.own}`, 'location=nonsense', 'location=loc_1', 'stage=new'])
      expect([search, (await browse(`/app/counter?${search}`)).status]).toEqual([search, 200])
  })

  test.each(['/app/counter', '/app/data/counter.json', '/app/data/counter.csv'])(
    'is not shown if no record has the id, or somebody else has it: %s',
    async (path) => {
      for (const [id, status] of [
        [unknown, 404],
        [ids.foreign, 403],
      ] as const) {
        const answer = await browse(`${path}?location=${id}`)
        const text = await answer.text()
        expect([path, answer.status]).toEqual([path, status])
        expect(text).not.toContain('titles')
      }
    },
  )

  test('is shown in the workspace of the record, if the person has it', async () => {
    const answer = await browse(`/app/counter?stage=new&location=${ids.other}`)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(
      `/app/w/${gate.tenant.otherWorkspaceId}/counter?stage=new&location=${ids.other}`,
    )
    const data = await browse(`/app/data/counter.json?location=${ids.other}`)
    expect(data.status).toBe(403)
    expect(await data.text()).toContain('is about a record of Second')
    const home = await browse(`/app/w/${gate.tenant.workspaceId}/counter?location=${ids.other}`)
    expect(home.status).toBe(403)
  })

  test('finds the workspace of any record, also behind the name of a source, and leaves a missing one to the page', async () => {
    const other = gate.tenant.otherWorkspaceId
    const note = { title: 'theirs', stage: 'new' as const, secret: 'hush', is_archived: false }
    const { id } = await gate.put(Note, note, other)
    expect(Note.namedIn).toBeUndefined()
    for (const search of [`note=${id}`, `entry=letters~${id}`, `entry=letters~${ids.other}`]) {
      const to = (await browse(`/app/counter?${search}`)).headers.get('location')
      expect(decodeURIComponent(String(to))).toBe(`/app/w/${other}/counter?${search}`)
      const named = await browse(`/app/w/${gate.tenant.workspaceId}/counter?${search}`)
      expect(named.status).toBe(403)
      expect(await named.text()).toContain('is about a record of Second')
    }
    for (const search of [`note=${unknownNote}`, `entry=letters~${unknown}`, 'entry=letters~today'])
      expect([search, (await browse(`/app/counter?${search}`)).status]).toEqual([search, 200])
  })

  test('says nothing about a record of what was just done, which may be gone', async () => {
    for (const name of ['undo', 'moved', 'done'])
      expect((await browse(`/app/counter?${name}=${unknown}`)).status).toBe(200)
  })
})
