import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { importLocations } from '../../core/connections/listing/import-locations'
import { providerContext } from '../../core/connections/provider-context'
import type {
  AccountContext,
  AccountListing,
  ConnectionDeclaration,
  ConsentDeclaration,
  ReachedAccount,
} from '../../core/contracts/connection'
import { isPassing, isServiceFault, type ServiceFault } from '../../core/contracts/service-fault'
import { Connection } from '../../core/outbound/Connection'
import { declaredConnections } from '../../core/registry/declared-connections'
import { unreadableAnswers } from './liar'
import {
  type Meddler,
  type PlatformSetup,
  type PlatformWorld,
  passingFaults,
  platformWorld,
} from './source-world'

/** How `testConnection` drives a connection. */
export interface ConnectionSuite extends PlatformSetup {
  /** A connected account at the stand-in, with the tokens that it takes. */
  readonly connection: NonNullable<PlatformSetup['connection']>
  /** Ids of the locations that the account holds at the stand-in, at least one. Absent if accounts of the service have none. */
  readonly locations?: readonly string[]
  /** Answers a request as the service does. */
  fetch(request: Request): Promise<Response>
  /** A person allows it on the page of the service: returns the address that the browser is sent back to. Required with `consent`. */
  allow?(consentUrl: string): string
  /** How the service says that a refresh token has ended. Required with `renew`. */
  readonly ended?: () => Response
  /**
   * Odd answers that this service really gives. Each has the name of the call, the number of the request and the answer. `locations 2: {}`
   * means: the service answers the second request for locations with `{}` to say that there are none.
   */
  readonly real?: readonly string[]
}

interface World extends PlatformWorld {
  readonly connection: ConnectionDeclaration
  readonly given: AccountContext
}

const verifier = 'a-verifier-of-at-least-forty-three-letters-0123456789'
const start = {
  state: 'state-of-forty-three-letters-0123456789abcdef',
  challenge: createHash('sha256').update(verifier).digest('base64url'),
  redirectUri: 'https://renown.test/app/settings/connections/callback',
}

/** Where a consent of the suite leads back to. A stand-in that knows its callers must accept it. */
export const suiteRedirectUri = start.redirectUri

/**
 * Writes the tests of the contract of a connection: the address of the consent, the exchange of a code, the choice of accounts, the
 * renewal of tokens and the list of locations, with answers that cannot be read and faults that pass. Call it in a test file.
 */
export function testConnection(suite: ConnectionSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the connection ${suite.connection.provider}`, () => {
    beforeAll(async () => {
      const made = await platformWorld(suite, suite.fetch)
      const connection = declaredConnections(made.ctx).get(suite.connection.provider)
      if (!connection) throw new Error(`No plugin declares the connection ${suite.connection.provider}`)
      held.world = { ...made, connection, given: providerContext(made.ctx) }
    })
    afterAll(() => held.world?.stop())
    testDeclaration(world, suite)
    testConsent(world, suite)
    testRenewal(world, suite)
    testLocations(world, suite)
  })
}

const outcome = async <T>(work: () => Promise<T>): Promise<{ value: T } | { fault: unknown }> => {
  try {
    return { value: await work() }
  } catch (fault) {
    return { fault }
  }
}

/** Tokens of the suite: no error may repeat one. */
const tokensOf = ({ connection }: ConnectionSuite) =>
  [connection.access_token, connection.refresh_token].filter((token) => token !== undefined)

function expectFault(result: { value: unknown } | { fault: unknown }, suite: ConnectionSuite): ServiceFault {
  expect(result).toMatchObject({ fault: { name: 'ServiceFault' } })
  const { fault } = result as { fault: ServiceFault }
  for (const token of tokensOf(suite)) expect(fault.message).not.toContain(token)
  return fault
}

interface Work<T> {
  readonly world: World
  readonly suite: ConnectionSuite
  /** What is asked, as `real` of the suite names it. */
  readonly what: string
  run(): Promise<T>
  /** Checks the fault of an answer that cannot be read. */
  judge?(fault: ServiceFault, kind: string): void
}

/** Sends an answer to each request of a piece of work in turn, and expects a ServiceFault each time. */
async function faultsAtEach<T>(work: Work<T>, kind: string, meddler: Meddler): Promise<void> {
  const { world, suite, what, run, judge } = work
  world.meddle(null)
  // The first run also renews a token that has ended.
  await run()
  world.meddle(null)
  await run()
  const { count } = world.asked
  expect(count).toBeGreaterThan(0)
  for (let nth = 1; nth <= count; nth++) {
    if (suite.real?.includes(`${what} ${nth}: ${kind}`)) continue
    world.meddle((honest, at, request) => (at === nth ? meddler(honest, at, request) : honest))
    const fault = expectFault(await outcome(run), suite)
    judge?.(fault, kind)
  }
}

function testAnswers<T>(work: () => Work<T>): void {
  test.each(Object.entries(unreadableAnswers))('throws a ServiceFault for %s', (kind, answer) =>
    faultsAtEach(work(), kind, answer),
  )
  test.each(Object.entries(passingFaults))('throws a fault that passes for %s', (kind, meddler) =>
    faultsAtEach(
      { ...work(), judge: (fault) => expect([kind, isPassing(fault)]).toEqual([kind, true]) },
      kind,
      meddler,
    ),
  )
}

function testDeclaration(world: () => World, { connection: { account_id } }: ConnectionSuite): void {
  test('takes the id of its own account by a token file', () => {
    const { tokenFile } = world().connection
    expect(tokenFile?.refusal?.(account_id)).toBeUndefined()
  })

  test('limits addresses of its own settings, and names no secret in a limit', () => {
    const { connection, given } = world()
    const values = Object.values(given.settings).map(String)
    for (const limit of connection.limits?.(given) ?? []) {
      expect(limit.address === '' || values.includes(limit.address)).toBe(true)
      expect(limit.callsPerMinute).toBeGreaterThan(limit.keptForReplies)
      expect(limit.client).toStartWith(connection.provider)
    }
  })
}

/** The code of a person who allowed it. */
function codeOf({ connection: { consent }, given }: World, { allow }: ConnectionSuite): string {
  if (!consent || !allow) throw new Error('`allow` of the suite is missing')
  const back = new URL(allow(consent.address(given, start)))
  expect(back.searchParams.get('state')).toBe(start.state)
  return back.searchParams.get('code') ?? ''
}

const exchanged = (world: World, suite: ConnectionSuite, consent: ConsentDeclaration) =>
  consent.exchange(world.given, {
    code: codeOf(world, suite),
    verifier,
    redirectUri: start.redirectUri,
  })

function expectAccounts(accounts: readonly ReachedAccount[]): void {
  expect(accounts.length).toBeGreaterThan(0)
  expect(new Set(accounts.map(({ account_id }) => account_id)).size).toBe(accounts.length)
  for (const { account_id, tokens } of accounts) {
    expect(account_id).not.toBe('')
    expect(tokens.access?.token ?? tokens.refresh ?? '').not.toBe('')
    if (tokens.access?.livesMs !== undefined) expect(tokens.access.livesMs).toBeGreaterThan(0)
  }
}

function testConsent(world: () => World, suite: ConnectionSuite): void {
  const declared = suite.plugin.connections?.find(({ provider }) => provider === suite.connection.provider)
  const consent = declared?.consent
  if (!consent) return
  describe('its consent', () => {
    test('leads to a page with the state and the way back, and without a secret', () => {
      const { given } = world()
      const address = new URL(consent.address(given, start))
      const query = [...address.searchParams.values()]
      expect(query).toContain(start.state)
      expect(query).toContain(start.redirectUri)
      expect(address.href).not.toContain(verifier)
      const secrets = Object.entries(suite.settings ?? {}).filter(([name]) =>
        /SECRET|PASSWORD|TOKEN/.test(name),
      )
      for (const [name, value] of secrets)
        if (!/^https?:/.test(value)) expect([name, address.href.includes(value)]).toEqual([name, false])
    })

    test('names settings that the suite sets', () => {
      expect(consent.needs.filter((name) => (suite.settings?.[name] ?? '') === '')).toEqual([])
    })

    test('exchanges a code for accounts, or for a token to choose accounts with', async () => {
      world().meddle(null)
      const reached = await exchanged(world(), suite, consent)
      if ('accounts' in reached) return expectAccounts(reached.accounts)
      expect(reached.userToken).not.toBe('')
      const offered = (await consent.choice?.list(world().given, reached.userToken)) ?? []
      expectAccounts(offered)
      expect(offered.map(({ account_id }) => account_id)).toContain(suite.connection.account_id)
    })

    test('takes no code twice', async () => {
      world().meddle(null)
      const code = codeOf(world(), suite)
      const answer = { code, verifier, redirectUri: start.redirectUri }
      await consent.exchange(world().given, answer)
      expectFault(await outcome(() => consent.exchange(world().given, answer)), suite)
    })

    describe('in the exchange', () =>
      testAnswers(() => ({
        world: world(),
        suite,
        what: 'exchange',
        run: () => exchanged(world(), suite, consent),
      })))

    if (consent.choice) testChoice(world, suite, consent)
  })
}

function testChoice(world: () => World, suite: ConnectionSuite, consent: ConsentDeclaration): void {
  const held = { userToken: '' }
  beforeAll(async () => {
    world().meddle(null)
    const reached = await exchanged(world(), suite, consent)
    if ('userToken' in reached) held.userToken = reached.userToken
  })
  describe('in the choice', () =>
    testAnswers(() => ({
      world: world(),
      suite,
      what: 'choice',
      run: async () => consent.choice?.list(world().given, held.userToken),
    })))

  test.each(Object.entries(unreadableAnswers))(
    'does not take %s for permissions that were granted',
    async (_, answer) => {
      world().meddle(answer)
      const asked = await outcome(async () => consent.choice?.declined(world().given, held.userToken))
      if ('fault' in asked) expectFault(asked, suite)
      else expect(asked.value === null || (asked.value?.length ?? 0) > 0).toBe(true)
    },
  )
}

function testRenewal(world: () => World, suite: ConnectionSuite): void {
  const refresh = suite.connection.refresh_token
  if (refresh === undefined) return
  const run = async () => world().connection.renew?.(world().given, refresh)
  describe('its renewal', () => {
    test('gives an access token that lives for a while', async () => {
      world().meddle(null)
      const renewed = await run()
      expect(renewed?.accessToken ?? '').not.toBe('')
      expect(renewed?.livesMs).toBeGreaterThan(0)
    })

    test('ends the connection when the service says that it has ended, and names no token', async () => {
      const { ended } = suite
      if (!ended) throw new Error('`ended` of the suite is missing')
      world().meddle(() => ended())
      expect(expectFault(await outcome(run), suite).kind).toBe('auth')
    })

    testAnswers(() => ({
      world: world(),
      suite,
      what: 'renewal',
      run,
      // A proxy or a hotel says nothing about the connection.
      judge: (fault, kind) => expect([kind, fault.kind === 'auth']).toEqual([kind, false]),
    }))
  })
}

function testLocations(world: () => World, suite: ConnectionSuite): void {
  const expected = suite.locations
  if (expected === undefined) {
    test('has no locations', () => {
      expect(world().connection.locations).toBeUndefined()
    })
    return
  }
  const run = async (): Promise<AccountListing> => {
    const { connection, given, connectionId: id } = world()
    if (!connection.locations) throw new Error('The connection lists no locations')
    return connection.locations(given, { id, account_id: suite.connection.account_id })
  }
  const stateOf = async () => (await world().ctx.rows(Connection).get(world().connectionId))?.state

  describe('its locations', () => {
    test('are those of the account, each with an id of its own and a name', async () => {
      world().meddle(null)
      const { locations, elsewhere } = await run()
      expect(locations.map(({ id }) => id).sort()).toEqual([...expected].sort())
      expect(locations.length).toBeGreaterThan(0)
      expect(new Set(locations.map(({ id }) => id)).size).toBe(locations.length)
      expect(locations.filter(({ profile }) => profile.business_name.trim() === '')).toEqual([])
      expect(elsewhere).toBeGreaterThanOrEqual(0)
    })

    testAnswers(() => ({ world: world(), suite, what: 'locations', run }))

    test('are added once, however often they are imported', async () => {
      world().meddle(null)
      const { ctx, connectionId } = world()
      const account = await ctx.rows(Connection).get(connectionId)
      if (!account) throw new Error('The connection of the suite is not stored')
      const ids = expected.slice(0, 3)
      const outcomes = async () => (await importLocations(ctx, account, ids)).map(({ outcome }) => outcome)
      expect(await outcomes()).toEqual(ids.map(() => 'added'))
      expect(await outcomes()).toEqual(ids.map(() => 'there'))
    })

    test('do not end the connection by an answer that cannot be read', async () => {
      for (const answer of Object.values(unreadableAnswers)) {
        world().meddle(answer)
        const read = await outcome(run)
        if ('fault' in read) expect(isServiceFault(read.fault)).toBe(true)
      }
      expect(await stateOf()).toBe('connected')
    })
  })
}
