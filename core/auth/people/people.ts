import { ownerRows } from '../../contexts/owner'
import type { Secrets } from '../../contracts/outbound'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import { randomText, sha256Hex } from '../../process/crypto'
import { addressBucket } from '../../requests/client-address'
import type { Host } from '../../requests/host'
import type { Documents } from '../../stores/documents/port'
import { Agency } from '../../tenancy/Agency'
import { User } from '../../tenancy/User'
import type { Person } from '../sessions'
import { createAddressAttempts, createAttempts, isTooManyAttempts, type TooManyAttempts } from './attempts'
import type { Passwords } from './passwords'
import { createSecondFactor, type SecondFactor } from './second-factor'

export interface PeopleDeps {
  readonly documents: Documents
  readonly clock: Clock
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  readonly passwords: Passwords
}

/**
 * The origin of an attempt: whether this browser signed in before, and its IP address, which is held only in
 * memory.
 */
export interface Caller {
  readonly browser: string | null
  readonly address: string | null
}

/** The result of an attempt. If the password is wrong, `person` is the account, if it exists. */
export type SignInOutcome =
  | { readonly was: 'right'; readonly person: Person }
  | { readonly was: 'wrong'; readonly person: Person | null }
  | ({ readonly was: 'too soon' } & TooManyAttempts)

export interface People {
  readonly secondFactor: SecondFactor
  get(id: string): Promise<Person | null>
  /** Whether a person may use this host. Only people of its agency may use a white-label domain. */
  belongs(person: Person, host: Host): Promise<boolean>
  checkPassword(email: string, password: string, host: Host, caller: Caller): Promise<SignInOutcome>
  /** Checks the password of a signed-in person. Each session has its own attempts. */
  checkOwnPassword(person: Person, password: string, sessionId: string): Promise<SignInOutcome>
  /** Checks a code of the second factor, or a recovery code. */
  checkCode(person: Person, code: string, caller: Caller): Promise<SignInOutcome>
  /**
   * Sets the password. All browsers then count as unknown. Throws a `conflict` Refusal if somebody else has
   * the address.
   */
  setPassword(person: Person, password: string, email?: string): Promise<void>
  /** Saves how this person likes the pages, in every browser. */
  setPreferences(person: Person, changes: Preferences): Promise<void>
  /**
   * Marks a browser as known for this person. Returns the value of its cookie, which may be the existing one.
   */
  remember(person: Person, brought: string | null): Promise<string>
}

/** What people choose about the pages. */
export type Preferences = Partial<Pick<Person, 'language' | 'shortcuts_on' | 'theme'>>

const browsersMax = 20

/**
 * Returns the key of attempts at an e-mail address without an account. Such addresses share a million rows,
 * so that invented addresses cannot fill the disk. A secret id decides which addresses share a row. Otherwise
 * a stranger could block one address by failing with another, and learn that the first has no account.
 */
const nobody = async (email: string, secret: string) =>
  `password nobody ${(await sha256Hex(`${secret} ${email}`)).slice(0, 5)}`

const byAge = [{ field: 'id', direction: 'asc' }] as const

/** Returns the hash of a browser's cookie if the person signed in with it before. */
async function knownBrowser(person: Person | null, mark: string | null): Promise<string | null> {
  if (!person || mark === null) return null
  const hash = await sha256Hex(mark)
  return person.browser_hashes?.includes(hash) ? hash : null
}

/** Returns the id of the oldest row, looked up once. */
function oldestId(rows: { list(query: object): Promise<readonly { readonly id: string }[]> }) {
  let found: string | undefined
  return async () => {
    found ??= (await rows.list({ sort: byAge, limit: 1 }))[0]?.id
    return found ?? ''
  }
}

/**
 * Checks sign-ins. Only failures count. A browser in which the person signed in before has its own limit, so
 * that failures of strangers do not lock the person out. All other browsers share the limit of the account.
 * While it is used up, attempts are not checked at all, because a confirmed password would defeat the delay.
 */
export function createPeople({ documents, clock, secrets, passwords }: PeopleDeps): People {
  const rows = ownerRows(documents.collection(User), User, clock)
  const agencies = ownerRows(documents.collection(Agency), Agency, clock)
  const attempts = createAttempts({ documents, clock })
  const addresses = createAddressAttempts(clock)
  const secondFactor = createSecondFactor({ documents, secrets, clock })

  const belongs: People['belongs'] = async (person, host) => {
    if (!person.is_active || (host.agency_id !== null && host.agency_id !== person.agency_id)) return false
    return (await agencies.get(person.agency_id))?.is_active === true
  }
  const secret = oldestId(agencies)
  const find = async (email: string, host: Host): Promise<Person | null> => {
    const [person] = await rows.list({ where: where.eq('email', email), limit: 1 })
    return person && (await belongs(person, host)) ? person : null
  }
  /** Counts one attempt. The IP address counts too if the browser is unknown. */
  const tried = async (
    key: string,
    address: string | null | undefined,
    person: Person | null,
    look: () => Promise<boolean>,
  ): Promise<SignInOutcome> => {
    const ofAddress = address === undefined ? null : addresses.take(address)
    if (ofAddress && 'waitSeconds' in ofAddress) return { was: 'too soon', ...ofAddress }
    const taken = await attempts.take(key)
    if (isTooManyAttempts(taken)) {
      ofAddress?.giveBack()
      return { was: 'too soon', ...taken }
    }
    const isRight = await look().catch(async (error) => {
      ofAddress?.giveBack()
      await taken.giveBack()
      throw error
    })
    if (!isRight || !person) return { was: 'wrong', person }
    ofAddress?.giveBack()
    await taken.succeeded()
    return { was: 'right', person }
  }
  return {
    secondFactor,
    belongs,
    get: (id) => rows.get(id),
    async checkPassword(typed, password, host, { browser, address }) {
      const email = typed.trim().toLowerCase()
      const person = await find(email, host)
      const known = await knownBrowser(person, browser)
      const look = () =>
        passwords.verify(password, person?.password_hash, known ? undefined : addressBucket(address))
      if (known) return tried(`password browser ${known}`, undefined, person, look)
      const key = person ? `password account ${email}` : await nobody(email, await secret())
      return tried(key, address, person, look)
    },
    checkOwnPassword: (person, password, sessionId) =>
      tried(`password session ${sessionId}`, undefined, person, () =>
        passwords.verify(password, person.password_hash),
      ),
    async checkCode(person, code, { browser, address }) {
      if (secondFactor.isRecoveryCode(code)) {
        return { was: (await secondFactor.recover(person, code)) ? 'right' : 'wrong', person }
      }
      const known = await knownBrowser(person, browser)
      const key = known ? `code browser ${known}` : `code account ${person.id}`
      return tried(key, known ? undefined : address, person, () => secondFactor.take(person, code))
    },
    async setPassword(person, password, email = person.email) {
      const password_hash = await passwords.hash(password)
      const password_set_at = clock.now().toISOString()
      await rows.update(person.id, { password_hash, password_set_at, email, browser_hashes: undefined })
    },
    async setPreferences(person, changes) {
      await rows.update(person.id, changes)
    },
    async remember(person, brought) {
      const mark = brought !== null && /^[0-9A-Za-z]{40}$/.test(brought) ? brought : randomText(40)
      if (await knownBrowser(await rows.get(person.id), mark)) return mark
      const patch = { push: { browser_hashes: { values: [await sha256Hex(mark)], cap: browsersMax } } }
      await documents.collection(User).updateOne(where.eq('id', person.id), patch)
      return mark
    },
  }
}
