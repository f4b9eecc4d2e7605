import { Refusal } from '../../contracts/errors'

const waitingMax = 200
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** The hash of a password nobody has: checked where there is none, so that time tells nothing. */
const dummyHash = Bun.password.hash(crypto.randomUUID(), argon)
const lengthMin = 12
const lengthMax = 256

/** Passwords: hashed and checked with argon2id, never more at once than the machine has cores. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Whether the password is the one of that hash; without a hash the same work, and no. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

export function createPasswords(atOnce: number): Passwords {
  const turn = semaphore(atOnce)
  return {
    hash: (password) => turn(() => Bun.password.hash(normal(password), argon)),
    verify: (password, hash) =>
      turn(async () => {
        const isRight = await Bun.password.verify(
          normal(password).slice(0, lengthMax),
          hash ?? (await dummyHash),
        )
        return isRight && hash !== undefined
      }),
  }
}

/** What is wrong with a password that somebody wants to have; null where nothing is. */
export function passwordFault(password: string, email: string): string | null {
  const text = normal(password)
  if ([...text].length < lengthMin)
    return `Use at least ${lengthMin} characters. A few words in a row are good.`
  if (text.length > lengthMax) return `Use at most ${lengthMax} characters.`
  const plain = text.toLowerCase()
  const name = email.split('@')[0] ?? ''
  if (plain === email || (name.length > 3 && plain.replace(name, '').length < 6))
    return 'Use one that is not made of your e-mail address.'
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

/** Runs of the keyboard and the words that everybody tries first, with next to nothing beside them. */
function isGuessable(plain: string): boolean {
  let rest = plain
  for (const word of common) rest = rest.replaceAll(word, '')
  for (const run of runs) {
    for (let length = Math.min(run.length, rest.length); length >= 4; length--) {
      for (let from = 0; from + length <= run.length; from++) {
        rest = rest.replaceAll(run.slice(from, from + length), '')
      }
    }
  }
  return rest.length < 8 && new Set(rest.replaceAll(/\P{L}/gu, '')).size < 3
}

/** The same letters typed on another machine are the same password. */
const normal = (password: string) => password.normalize('NFKC')

function semaphore(atOnce: number) {
  const waiting: (() => void)[] = []
  let busy = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= atOnce) {
      if (waiting.length >= waitingMax) throw new Refusal('unavailable', 'Too many people are signing in.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else busy++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy--
    }
  }
}
