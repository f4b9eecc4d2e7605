import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { domainCheck } from '../../../../core/auth/domains/check'
import { type Domain, domainsOf, graceMs, patienceMs } from '../../../../core/auth/domains/domains'
import { recordOf } from '../../../../core/auth/domains/record'
import { OAuthGrant } from '../../../../core/auth/oauth/grants/OAuthGrant'
import { Session } from '../../../../core/auth/Session'
import { Refusal } from '../../../../core/contracts/errors'
import { where } from '../../../../core/contracts/where'
import { outboundFault } from '../../../../core/outbound/fault'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import type { Documents } from '../../../../core/stores/documents/port'
import { auditOf } from '../../../../core/tenancy/audit/audit'
import { WhiteLabelDomain } from '../../../../core/tenancy/domains/WhiteLabelDomain'
import { awaitingAll } from '../../../support/awaiting-all'
import { type Gate, startGate } from '../../../support/harness'
import { describeGateStores } from '../../../support/mongo'
import { connectApp } from '../../../support/oauth-app'
import { type StandInResolver, standInResolver } from '../../../support/stand-in-resolver'

const name = 'reviews.agency.example'
const hourMs = 60 * 60_000

describeGateStores('on %s', (_, open) => {
  let gate: Gate
  let dns: StandInResolver
  let documents: Documents | undefined
  beforeEach(async () => {
    dns = standInResolver()
    documents = await open()
    const settings = { RENOWN_URL: 'https://app.example.com' }
    gate = await startGate({ dns, settings, ...(documents ? { documents } : {}) })
  })
  afterEach(async () => {
    await gate.stop()
    await documents?.close()
  })

  /** Each command at a moment of its own, so that what was done has an order. */
  const run = async (command: string, input: object) => {
    gate.clock.advance(1)
    const found = gate.registry.commands.get(command)
    if (!found) throw new Error(`There is no command ${command}`)
    return awaitingAll(gate.owner, (ctx) => found.run(ctx, input))
  }
  const own = () => ({ agency_id: gate.tenant.agencyId })
  const theirs = () => ({ agency_id: gate.stranger.agencyId })
  const check = () => {
    gate.clock.advance(1)
    return awaitingAll(gate.owner, (ctx) => domainCheck.run(ctx, new AbortController().signal))
  }
  const stateOf = async (agency = own()) =>
    ((await domainsOf(gate.owner).list(agency.agency_id))[0] as Domain).state
  const served = async () => (await gate.ask('/api/surface', { headers: { host: name } })).status === 200
  const workspaceDomains = async (agency = own()) =>
    (await gate.owner.rows(Workspace).list({ where: where.eq('agency_id', agency.agency_id) })).map(
      ({ white_label_domain }) => white_label_domain,
    )
  const actions = async (agency = own()) =>
    (await auditOf(gate.owner).list(agency.agency_id, { limit: 100 })).entries
      .map(({ action }) => action)
      .reverse()

  test('a check goes on after a domain that somebody else changed, and ends with any other error', async () => {
    await run('domain add', { ...own(), domain: name })
    const failing = (error: Error) => {
      const logged: object[] = []
      const rows = ((entity: Parameters<typeof gate.owner.rows>[0]) => ({
        ...gate.owner.rows(entity),
        ...(entity.name === WhiteLabelDomain.name ? { updateWhere: () => Promise.reject(error) } : {}),
      })) as typeof gate.owner.rows
      const log = { ...gate.owner.log, info: (_: string, more: object) => void logged.push(more) }
      const ended = domainCheck.run({ ...gate.owner, rows, log } as never, new AbortController().signal)
      return ended.then(() => logged)
    }
    await expect(failing(new Error('disk full'))).rejects.toThrow('disk full')
    expect(await failing(new Refusal('conflict', 'changed'))).toEqual([{ domain: name, reason: 'changed' }])
  })

  test('a domain that cannot be stored is an error of the store, and one that is there is a conflict', async () => {
    const storing = (error: Error) => {
      const rows = ((entity: Parameters<typeof gate.owner.rows>[0]) => ({
        ...gate.owner.rows(entity),
        ...(entity.name === WhiteLabelDomain.name ? { insert: () => Promise.reject(error) } : {}),
      })) as typeof gate.owner.rows
      return domainsOf({ ...gate.owner, rows }).add(gate.tenant.agencyId, name)
    }
    await expect(storing(new Error('disk full'))).rejects.toThrow('disk full')
    await expect(storing(new Refusal('unavailable', 'down'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(storing(new Refusal('conflict', 'x'))).rejects.toThrow('is named already')
  })

  test('an agency has fifty domains at most', async () => {
    const { agencyId } = gate.tenant
    for (let n = 0; n < 49; n++)
      await gate.put(
        WhiteLabelDomain,
        { agency_id: agencyId, domain: `d${n}.example`, state: 'pending', token: 'x' },
        agencyId,
      )
    expect(await run('domain add', { domain: name, ...own() })).toMatchObject({ domain: name })
    await expect(run('domain add', { domain: `x.${name}`, ...own() })).rejects.toThrow('at most 50 domains')
    expect(await run('domain add', { domain: `x.${name}`, ...theirs() })).toMatchObject({ state: 'pending' })
  })

  /** Names the domain and publishes its record. */
  async function publish(agency = own(), more: readonly string[] = []) {
    const { record_name, record_value } = await run('domain add', { domain: name, ...agency })
    dns.setTxt(String(record_name), [...more, String(record_value)])
    return String(record_value)
  }

  describe('a domain', () => {
    test('is told its record, and served from the moment that record is seen', async () => {
      const added = await run('domain add', { domain: `https://${name.toUpperCase()}/`, ...own() })
      expect(added).toMatchObject({
        domain: name,
        state: 'pending',
        record_type: 'TXT',
        record_name: `_renown.${name}`,
      })
      expect(added.record_value).toMatch(/^renown-verification=[0-9A-Za-z]{32}$/)
      expect(await served()).toBe(false)
      expect(await run('domain verify', { domain: name, ...own() })).toMatchObject({
        state: 'pending',
        reason: `There is no TXT record at _renown.${name}.`,
      })
      dns.setTxt(`_renown.${name}`, ['v=spf1 -all', `"${added.record_value}"`])
      expect(await run('domain verify', { domain: String(added.domain_id), ...own() })).toMatchObject({
        state: 'verified',
      })
      expect(await served()).toBe(true)
      expect(await workspaceDomains()).toEqual([name, name])
      expect(await workspaceDomains(theirs())).toEqual([undefined, undefined])
      const later = await run('workspace create', { name: 'Later', timezone: 'UTC', locale: 'en', ...own() })
      expect(await gate.owner.rows(Workspace).get(String(later.workspace_id))).toMatchObject({
        white_label_domain: name,
      })
      expect(await actions()).toEqual(['domain.add', 'domain.verify', 'workspace.add'])
    })

    test('is not verified by another value, nor by one that merely holds it', async () => {
      const { record_value } = await run('domain add', { domain: name, ...own() })
      for (const texts of [
        ['renown-verification=other'],
        [`x${record_value}`],
        [`${record_value}x`],
        [String(record_value).toUpperCase()],
        [`renown-verification = ${String(record_value).split('=')[1]}`],
      ]) {
        dns.setTxt(`_renown.${name}`, texts)
        expect(await run('domain verify', { domain: name, ...own() })).toMatchObject({ state: 'pending' })
      }
      dns.setTxt(name, [String(record_value)])
      dns.setTxt(`_renown.${name}`, [])
      expect(await run('domain verify', { domain: name, ...own() })).toMatchObject({ state: 'pending' })
    })

    test('is found by nobody else, and named once', async () => {
      await run('domain add', { domain: name, ...own() })
      await expect(run('domain verify', { domain: name, ...theirs() })).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(run('domain remove', { domain: name, ...theirs() })).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(run('domain add', { domain: name, ...own() })).rejects.toMatchObject({
        code: 'conflict',
        details: { errors: [{ pointer: '/domain' }] },
      })
      for (const domain of ['app.example.com', 'com', 'localhost']) {
        await expect(run('domain add', { domain, ...own() })).rejects.toMatchObject({ code: 'invalid_field' })
      }
    })

    test('that looks like one that is served for somebody else is refused, before and after', async () => {
      await run('domain add', { domain: 'rev1ews.agency.example', ...theirs() })
      await publish()
      await run('domain verify', { domain: name, ...own() })
      await expect(
        run('domain add', { domain: 'reviews.aqency.example', ...theirs() }),
      ).resolves.toBeDefined()
      await expect(
        run('domain add', { domain: 'revlews.agency.example', ...theirs() }),
      ).rejects.toMatchObject({
        code: 'conflict',
      })
      const [twin] = await domainsOf(gate.owner).list(gate.stranger.agencyId)
      dns.setTxt(recordOf(twin as Domain).name, [recordOf(twin as Domain).value])
      await expect(
        run('domain verify', { domain: 'rev1ews.agency.example', ...theirs() }),
      ).rejects.toMatchObject({
        code: 'conflict',
      })
      await check()
      expect(await stateOf(theirs())).toBe('pending')
      await expect(run('domain add', { domain: 'revlews.agency.example', ...own() })).resolves.toBeDefined()
    })

    test('belongs to one agency: the second gets it once the first shows no record any more', async () => {
      const first = await publish()
      await run('domain verify', { domain: name, ...own() })
      const second = await publish(theirs(), [first])
      const refused = await run('domain verify', { domain: name, ...theirs() })
      expect(refused.state).toBe('pending')
      expect(refused.reason).toContain('Another agency')
      expect(await stateOf()).toBe('verified')

      dns.setTxt(`_renown.${name}`, outboundFault('unresolvable', 'no answer'))
      expect(await run('domain verify', { domain: name, ...theirs() })).toMatchObject({ state: 'pending' })
      dns.setTxt(`_renown.${name}`, [second])
      expect(await run('domain verify', { domain: name, ...theirs() })).toMatchObject({ state: 'verified' })
      expect(await stateOf()).toBe('lapsed')
      expect(await workspaceDomains()).toEqual([undefined, undefined])
      expect(await workspaceDomains(theirs())).toEqual([name, name])
      expect(await actions()).toEqual(['domain.add', 'domain.verify', 'domain.lapse'])
      expect((await gate.ask('/api/surface', { headers: { host: name } })).status).toBe(401)
      const asThem = { key: gate.stranger.key, headers: { host: name } }
      expect((await gate.ask('/api/surface', asThem)).status).toBe(200)
    })

    test('is not lost because the DNS fails at the moment in which its record is looked for', async () => {
      const first = await publish()
      await run('domain verify', { domain: name, ...own() })
      const second = await publish(theirs(), [first])
      dns.setTxt(`_renown.${name}`, [second], outboundFault('unresolvable', 'no answer'))
      expect(await run('domain verify', { domain: name, ...theirs() })).toMatchObject({ state: 'pending' })
      expect(await stateOf()).toBe('verified')
    })

    test('that was moved meanwhile is left as it is', async () => {
      await publish()
      const [stale] = await domainsOf(gate.owner).list(gate.tenant.agencyId)
      await run('domain verify', { domain: name, ...own() })
      const again = await domainsOf(gate.owner).verify(stale as Domain)
      expect([again.state, again.reason]).toEqual(['verified', undefined])
      gate.clock.advance(patienceMs + hourMs)
      dns.setTxt(`_renown.${name}`, [])
      const late = domainsOf(gate.owner).verify(stale as Domain)
      await expect(late).rejects.toMatchObject({ code: 'conflict' })
      expect(await stateOf()).toBe('verified')
    })

    test('of many who verify at once one alone gets it', async () => {
      const first = await publish()
      const second = await publish(theirs(), [first])
      dns.setTxt(`_renown.${name}`, [first, second])
      await Promise.allSettled(
        [own(), theirs(), own(), theirs()].map((agency) => run('domain verify', { domain: name, ...agency })),
      )
      const states = [await stateOf(), await stateOf(theirs())]
      expect(states.filter((state) => state === 'verified').length).toBe(1)
    })
  })

  describe('the look every day', () => {
    test('verifies what waits, and gives up after two weeks until somebody asks again', async () => {
      const { record_value } = await run('domain add', { domain: name, ...own() })
      await check()
      expect(await stateOf()).toBe('pending')
      gate.clock.advance(patienceMs + hourMs)
      await check()
      expect(await stateOf()).toBe('failed')
      dns.setTxt(`_renown.${name}`, [String(record_value)])
      const asked = dns.asked.length
      await check()
      expect([await stateOf(), dns.asked.length]).toEqual(['failed', asked])
      expect(await run('domain verify', { domain: name, ...own() })).toMatchObject({ state: 'verified' })
    })

    test('looks at a pending domain each time, and at a verified one whose last look is not known', async () => {
      const added = await run('domain add', { domain: name, ...own() })
      await check()
      const asked = dns.asked.length
      await check()
      expect(dns.asked.length).toBeGreaterThan(asked)
      dns.setTxt(String(added.record_name), [String(added.record_value)])
      await check()
      const [verified] = await domainsOf(gate.owner).list(gate.tenant.agencyId)
      expect(verified?.state).toBe('verified')
      await gate.owner.rows(WhiteLabelDomain).update(verified?.id ?? '', { checked_at: undefined })
      const before = dns.asked.length
      await check()
      expect(dns.asked.length).toBeGreaterThan(before)
    })

    test('looks at a verified domain once a day', async () => {
      await publish()
      await check()
      expect([await stateOf(), await served()]).toEqual(['verified', true])
      const asked = dns.asked.length
      for (let hour = 0; hour < 23; hour++) {
        gate.clock.advance(hourMs)
        await check()
      }
      expect(dns.asked.length).toBe(asked)
      gate.clock.advance(2 * hourMs)
      await check()
      expect(dns.asked.length).toBe(asked + 1)
    })

    test('looks at a verified domain once in 24 hours', async () => {
      gate.clock.stop()
      await publish()
      await check()
      const checkedAt = async () => (await domainsOf(gate.owner).list(gate.tenant.agencyId))[0]?.checked_at
      const before = await checkedAt()
      // Each check comes a millisecond later.
      gate.clock.advance(24 * hourMs - 2)
      await check()
      expect(await checkedAt()).toBe(before)
      await check()
      expect(await checkedAt()).not.toBe(before)
    })

    test('forgives a record that is missing for less than the grace, and a DNS that cannot be asked for ever', async () => {
      const value = await publish()
      await check()
      dns.setTxt(`_renown.${name}`, [])
      gate.clock.advance(25 * hourMs)
      await check()
      gate.clock.advance(graceMs - hourMs)
      await check()
      expect(await served()).toBe(true)
      const [missing] = (await run('domain list', own())).domains as Domain[]
      expect(missing?.missing_since).toBeDefined()
      dns.setTxt(`_renown.${name}`, [value])
      await check()
      const [whole] = await domainsOf(gate.owner).list(gate.tenant.agencyId)
      expect([whole?.state, whole?.missing_since, whole?.reason]).toEqual(['verified', undefined, undefined])
      dns.setTxt(`_renown.${name}`, outboundFault('unresolvable', 'no answer'))
      for (let day = 0; day < 30; day++) {
        gate.clock.advance(25 * hourMs)
        await check()
      }
      expect(await served()).toBe(true)
    })

    test('ends the service after the grace, and takes it up again with the record', async () => {
      const value = await publish()
      await check()
      dns.setTxt(`_renown.${name}`, [])
      gate.clock.advance(25 * hourMs)
      await check()
      gate.clock.advance(graceMs + hourMs)
      await check()
      expect([await stateOf(), await served(), await workspaceDomains()]).toEqual([
        'lapsed',
        false,
        [undefined, undefined],
      ])
      dns.setTxt(`_renown.${name}`, [value])
      gate.clock.advance(25 * hourMs)
      await check()
      expect([await stateOf(), await served()]).toEqual(['verified', true])
      expect(await actions()).toEqual(['domain.add', 'domain.verify', 'domain.lapse', 'domain.verify'])
    })
  })

  describe('removing a domain', () => {
    const soon = () => new Date(gate.clock.now().getTime() + 24 * hourMs).toISOString()
    /** A session and a connected app at a host. */
    async function begin(host: string, agency = own()) {
      const { agency_id } = agency
      const at = gate.clock.now().toISOString()
      const base = { workspace_id: agency_id, agency_id, user_id: 'usr_1', host, expires_at: soon() }
      const session = await gate.owner.rows(Session).insert({
        ...base,
        token_hash: crypto.randomUUID(),
        browser: 'x',
        signed_in_at: at,
        last_used_at: at,
        ends_at: soon(),
      })
      const grant = await gate.owner.rows(OAuthGrant).insert({
        ...base,
        client_id: 'c',
        client_name: 'An app',
        is_verified: false,
        app_host: 'x',
        scopes: ['read'],
        is_revoked: false,
      })
      return async () => [
        (await gate.owner.rows(Session).get(session.id)) !== null,
        (await gate.owner.rows(OAuthGrant).get(grant.id))?.is_revoked === false,
      ]
    }

    test('ends its service, its sessions and its apps at once, and nothing else', async () => {
      await publish()
      await check()
      const here = await begin(`https://${name}`)
      const main = await begin('https://app.example.com')
      const elsewhere = await begin('https://other.agency.example')
      expect(await run('domain remove', { domain: name, ...own() })).toMatchObject({ removed: true })
      expect(await served()).toBe(false)
      expect(await here()).toEqual([false, false])
      for (const kept of [main, elsewhere]) expect(await kept()).toEqual([true, true])
      expect(await workspaceDomains()).toEqual([undefined, undefined])
      expect(await gate.owner.rows(WhiteLabelDomain).count()).toBe(0)
      const noted = ['app.domain_removed', 'domain.add', 'domain.remove', 'domain.verify'] as const
      expect((await actions()).sort()).toEqual([...noted])
    })

    test('a token of an app that was connected there works there alone, and never again after the removal', async () => {
      await publish()
      await check()
      const issuer = `https://${name}`
      const app = await connectApp(gate, { issuer })
      const { access_token, refresh_token } = await app.connect()
      const at = async (host: string) =>
        (await gate.ask('/api/surface', { key: access_token, headers: { host } })).status
      expect([await at(name), await at('app.example.com'), await at('localhost:3000')]).toEqual([
        200, 401, 401,
      ])
      expect((await app.open('/app/account')).status).toBe(200)
      await run('domain remove', { domain: name, ...own() })
      expect([await at(name), await at('app.example.com')]).toEqual([403, 401])
      await publish()
      await check()
      expect(await served()).toBe(true)
      expect(await at(name)).toBe(401)
      expect((await app.refresh(refresh_token)).status).toBe(400)
      const page = await app.open('/app/account')
      expect([page.status, page.headers.get('location')]).toEqual([303, '/app/sign-in?next=%2Fapp%2Faccount'])
    })

    test('leaves the workspaces the next domain that is served', async () => {
      await publish()
      await check()
      gate.clock.advance(1)
      const next = await run('domain add', { domain: 'second.agency.example', ...own() })
      dns.setTxt(String(next.record_name), [String(next.record_value)])
      await check()
      expect(await workspaceDomains()).toEqual([name, name])
      await run('domain remove', { domain: name, ...own() })
      expect(await workspaceDomains()).toEqual(['second.agency.example', 'second.agency.example'])
    })

    test('what was begun there goes on where the same agency shows its record again', async () => {
      const value = await publish()
      await check()
      const before = await begin(`https://${name}`)
      dns.setTxt(`_renown.${name}`, [])
      gate.clock.advance(25 * hourMs)
      await check()
      gate.clock.advance(graceMs + hourMs)
      await check()
      expect(await stateOf()).toBe('lapsed')
      dns.setTxt(`_renown.${name}`, [value])
      await run('domain verify', { domain: name, ...own() })
      expect([await stateOf(), await before()]).toEqual(['verified', [true, true]])
    })

    test('a name that changes hands takes nothing along that the last holder began there', async () => {
      await publish()
      await check()
      const before = await begin(`https://${name}`)
      dns.setTxt(`_renown.${name}`, [])
      gate.clock.advance(25 * hourMs)
      await check()
      gate.clock.advance(graceMs + hourMs)
      await check()
      expect(await before()).toEqual([true, true])
      await publish(theirs())
      await check()
      expect(await stateOf(theirs())).toBe('verified')
      expect(await before()).toEqual([false, false])
    })
  })
})

test('a record may be missing for a week, and is waited for two', () => {
  expect([graceMs, patienceMs]).toEqual([7 * 24 * hourMs, 14 * 24 * hourMs])
  expect(domainCheck.everyMs).toBe(10 * 60_000)
})
