import { type OwnerContext, Refusal, refusedField } from 'renown'
import { productState } from 'renown/pages'

const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const lengthMin = 8
const lengthMax = 200
/** How many passwords are hashed at the same time, because each needs 19 MB. More are refused, not queued. */
const atOnceMax = 4
const running = productState(() => ({ count: 0 }))

type Ctx = Pick<OwnerContext, 'product'>

/** Returns the hash of a new password. Throws a Refusal if it is too short or too long. */
export async function hashSharePassword(ctx: Ctx, password: string): Promise<string> {
  const length = [...password].length
  if (length < lengthMin || length > lengthMax) {
    throw refusedField('password', `Use ${lengthMin} to ${lengthMax} characters.`)
  }
  return inTurn(ctx, () => Bun.password.hash(normal(password), argon))
}

/** Whether a password is the one of a shared report. The time does not depend on where it differs. */
export const isSharePassword = (ctx: Ctx, password: string, hash: string): Promise<boolean> =>
  inTurn(ctx, () => Bun.password.verify(normal(password), hash))

/** Normalizes the text, because machines encode the same letters differently. */
const normal = (password: string) => password.normalize('NFKC').slice(0, 2 * lengthMax)

async function inTurn<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const state = running(ctx)
  if (state.count >= atOnceMax) {
    throw new Refusal('unavailable', 'Many people open reports now. Try again in a minute.', {
      retryAfterSeconds: 5,
    })
  }
  state.count++
  try {
    return await work()
  } finally {
    state.count--
  }
}
