import { isRefusal, Refusal, recoverIf } from '../../contracts/errors'
import { createFairQueue } from '../../work/fair-queue'
import { CancelledError, TimedOutError } from '../../work/scope'

/**
 * Maximum checks that may wait: of all unknown browsers, of one network among them, and of known browsers.
 */
const waitingUsually = { strangers: 1_000, network: 4, known: 200 }
const waitMs = 20_000
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** A hash that no password matches. Used for people without a password, so that the time of a check reveals nothing. */
const dummyHash = Bun.password.hash(crypto.randomUUID(), argon)
const lengthMin = 12
const lengthMax = 256

/**
 * Hashes and checks passwords with argon2id. Runs at most as many at the same time as the machine has cores.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password matches the hash. Without a hash it does the same work and returns false. `network`
   * names the network of an unknown browser. Networks take turns, and none of them delays people in a known
   * browser.
   */
  verify(password: string, hash: string | undefined, network?: string): Promise<boolean>
}

export function createPasswords(atOnce: number, waitingMax = waitingUsually): Passwords {
  const known = queueOf(1, waitingMax.known)
  const strangers = queueOf(atOnce, waitingMax.network)
  const turn = <T>(network: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (network === undefined) return known(network, work)
    if (strangers.load().waiting >= waitingMax.strangers) return Promise.reject(crowded())
    return strangers(network, work)
  }
  return {
    hash: (password) => turn(undefined, () => Bun.password.hash(normal(password), argon)),
    verify: (password, hash, network) =>
      turn(network, async () => {
        const isRight = await Bun.password.verify(
          normal(password).slice(0, lengthMax),
          hash ?? (await dummyHash),
        )
        return isRight && hash !== undefined
      }),
  }
}

/** Returns what is wrong with a new password, or null if it is acceptable. */
export function passwordFault(password: string, email: string): string | null {
  const text = normal(password)
  if ([...text].length < lengthMin)
    return `Use at least ${lengthMin} characters. A few words in a row are good.`
  if (text.length > lengthMax) return `Use at most ${lengthMax} characters.`
  const plain = text.toLowerCase()
  const [name = ''] = email.split('@')
  if (plain === email || (name.length > 3 && plain.replace(name, '').length < 6))
    return 'Choose a password that does not contain your e-mail address.'
  if (new Set(plain).size < 5 || isGuessable(plain)) return 'Use one that is harder to guess.'
  return null
}

const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]
const common = [
  'password',
  'passwort',
  'letmein',
  'welcome',
  'iloveyou',
  'administrator',
  'changeme',
  'renown',
]

/** Whether the password consists almost only of keyboard sequences and very common words. */
function isGuessable(plain: string): boolean {
  let rest = plain
  for (const word of common) rest = rest.replaceAll(word, '')
  for (const run of runs) {
    for (let length = run.length; length >= 4; length--) {
      for (let from = 0; from + length <= run.length; from++) {
        rest = rest.replaceAll(run.slice(from, from + length), '')
      }
    }
  }
  return rest.length < 8 && new Set(rest.replaceAll(/\P{L}/gu, '')).size < 3
}

/** Normalizes the text, because machines encode the same letters differently. */
const normal = (password: string) => password.normalize('NFKC')

/**
 * Creates a queue that refuses a check that waits too long, or has too many of its own network in front of
 * it.
 */
function queueOf(slots: number, waitingOfOneMax: number) {
  const queue = createFairQueue({
    name: 'sign-ins',
    slots,
    perTenant: slots,
    waitingMax: waitingOfOneMax,
  })
  const run = async <T>(tenant = 'known', work: () => Promise<T>): Promise<T> => {
    const until = performance.now() + waitMs
    return queue
      .run({ tenant, signal: undefined, leftMs: () => until - performance.now() }, work)
      .catch(recoverIf(isOfQueue, refuseCrowd))
  }
  return Object.assign(run, { load: queue.load })
}

/** Whether an error says that the queue was full, or that the turn came too late. */
export const isOfQueue = (error: unknown): error is Error =>
  error instanceof TimedOutError ||
  error instanceof CancelledError ||
  (isRefusal(error) && error.code === 'quota_exceeded')
const crowded = () => new Refusal('unavailable', 'Too many people are signing in. Try again in a minute.')
const busy = () => new Refusal('unavailable', 'Renown is busy at the moment. Try again in a minute.')
/** Only a full queue is a crowd. Who waited too long may have been alone on a busy machine. */
const refuseCrowd = (error: unknown) => {
  throw error instanceof TimedOutError ? busy() : crowded()
}
