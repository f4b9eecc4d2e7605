import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { factsOf, nextSteps } from '../../../../core/cli/start/next-steps'

const made = {
  agency_id: 'agc_1',
  workspace_id: 'wsp_1',
  location_id: 'loc_1',
  site_id: 'sit_1',
  site_key: 'rnw_site_k',
}
const secrets = {
  agent_key: 'rnw_key_s',
  forwarder_token: 'rnw_fwd_s',
  owner_link: 'http://localhost:3000/app/link?token=rnw_link_s',
}
const facts = {
  first: { isFirst: true, ...made, ...secrets },
  apiUrl: 'http://localhost:3000',
  ingestUrl: 'http://localhost:3001',
  dataDir: resolve('data'),
  documents: 'sqlite',
  columns: 'chdb',
}
const options = { colours: false, secrets: true, now: new Date('2026-11-20T12:00:00Z'), byNpx: false }

test('the facts are those that scripts were promised, in their order', () => {
  expect(Object.entries(factsOf(facts))).toEqual([
    ['api_url', 'http://localhost:3000'],
    ['ingest_url', 'http://localhost:3001'],
    ...Object.entries(made),
    ...Object.entries(secrets),
  ])
})

test('secrets are said where they may be, and nowhere else', () => {
  expect(nextSteps(facts, options)).toContain('rnw_key_s')
  const hidden = nextSteps(facts, { ...options, secrets: false })
  expect(hidden).not.toMatch(/rnw_(key|fwd|link)_/)
  expect(nextSteps(facts, options)).toContain('     http://localhost:3000/app/link?token=rnw_link_s\n')
  expect(hidden).toContain('bun renown owner link create --json')
  expect(hidden).toContain('bun renown key rotate --json')
  expect(hidden).toContain('bun renown site token rotate sit_1 --json')
})

test('a later run is short', () => {
  const later = nextSteps({ ...facts, first: { isFirst: false, ...made } }, options)
  expect(later).not.toContain('curl')
  expect(later).toContain('http://localhost:3000')
})

test('where Bun came by npx, commands are spelt by npx', () => {
  const said = nextSteps(facts, { ...options, byNpx: true })
  expect(said).toContain(`npx bun@${Bun.version} renown site create example.com`)
  expect(said).not.toContain(' bun renown')
})

test('every command names the data folder, where it is not the default', () => {
  const said = nextSteps({ ...facts, dataDir: "/srv/ren's own" }, { ...options, secrets: false })
  const commands = said.match(/\S+ bun (?:renown|start)\b/g) ?? []
  expect(commands.length).toBeGreaterThan(3)
  expect(said.match(/RENOWN_DATA_DIR='\/srv\/ren'\\''s own' bun renown/g)?.length).toBe(
    said.match(/bun renown/g)?.length,
  )
  expect(nextSteps({ ...facts, dataDir: '/srv/renown' }, options)).toContain(
    'RENOWN_DATA_DIR=/srv/renown bun renown site create example.com',
  )
  expect(nextSteps(facts, options)).not.toContain('RENOWN_DATA_DIR')
})

test('colours are for terminals', () => {
  expect(nextSteps(facts, options)).toBe(Bun.stripANSI(nextSteps(facts, { ...options, colours: true })))
  expect(nextSteps(facts, options)).not.toContain('\u001b')
})

describe('a demo', () => {
  const demo = { agency_id: 'agc_demo', agent_key: 'rnw_key_x' }
  const later = { ...facts, first: { isFirst: false, ...made } }

  test('is told of by every start, with the way to remove it', () => {
    const said = nextSteps({ ...later, demo: { agency_id: 'agc_demo' } }, options)
    expect(said).toContain('DEMO DATA')
    expect(said).toContain('bun renown demo remove')
    expect(said).toContain('key rotate --agency-id agc_demo')
    expect(nextSteps(later, options)).not.toContain('DEMO')
  })

  test('shows its key on the start that made it, to a terminal alone', () => {
    expect(nextSteps({ ...later, demo }, options)).toContain('rnw_key_x')
    expect(nextSteps({ ...later, demo }, { ...options, secrets: false })).not.toContain('rnw_key_x')
    expect(factsOf({ ...later, demo })).toMatchObject({ demo })
  })
})
