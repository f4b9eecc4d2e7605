import { ownerRows } from '../../contexts/owner'
import type { Secrets } from '../../contracts/outbound'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import {
  base32,
  createTOTPKeyURI,
  equalSecrets,
  generateHOTP,
  randomCode,
  sha256Hex,
} from '../../process/crypto'
import type { Documents } from '../../stores/documents/port'
import { User } from '../../tenancy/User'
import type { Person } from '../sessions'

const stepMs = 30_000
const codesMax = 10
const recoveryForm = /^[0-9a-hjkmnp-tv-z]{16}$/

export interface SecondFactorDeps {
  readonly documents: Documents
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  readonly clock: Clock
}

/** A second factor that is being set up. It is stored after its first valid code. */
export interface Offer {
  /** An encrypted value that is sent back with the form. Only this person can use it. */
  readonly sealed: string
  /** The secret for typing, in groups of four. */
  readonly text: string
  readonly uri: string
}

export const hasSecondFactor = (person: Person): boolean => person.totp_secret !== undefined

/** Checks codes of an authenticator app, each accepted once, and recovery codes for a lost app. */
export function createSecondFactor({ documents, secrets, clock }: SecondFactorDeps) {
  const rows = ownerRows(documents.collection(User), User, clock)
  /** Returns the half minute of a code: the current, the previous or the next one, because clocks differ. */
  const stepOf = async (secret: Uint8Array, code: string): Promise<number | null> => {
    const now = Math.floor(clock.now().getTime() / stepMs)
    let found: number | null = null
    for (const step of [now - 1, now, now + 1]) {
      if (equalSecrets(await generateHOTP(secret, step), code)) found = step
    }
    return found
  }
  const offer = (sealed: string, person: Person, issuer: string): Offer => {
    const text = secrets.open(sealed, secretFieldOf(person))
    const uri = createTOTPKeyURI(issuer, person.email ?? person.id, base32.decode(text))
    return { sealed, text: text.replaceAll(/(.{4})(?=.)/g, '$1 '), uri }
  }
  return {
    /** Starts the set-up. Throws if the installation has no key to encrypt with. */
    begin(person: Person, issuer: string): Offer {
      const text = base32.encode(crypto.getRandomValues(new Uint8Array(20)))
      return offer(secrets.seal(text, secretFieldOf(person)), person, issuer)
    },
    again: offer,
    /** Turns two-step sign-in on if the code is right. Returns the recovery codes, which are shown once. */
    async enable(person: Person, sealed: string, code: string): Promise<string[] | null> {
      const secret = base32.decode(secrets.open(sealed, secretFieldOf(person)))
      const step = await stepOf(secret, digitsOf(code))
      if (step === null) return null
      const { codes, recovery_hashes } = await newCodes()
      await rows.update(person.id, { totp_secret: sealed, totp_step: step, recovery_hashes })
      return codes
    },
    /** Uses a code. If two requests use it at the same time, only one succeeds. */
    async take(person: Person, code: string): Promise<boolean> {
      if (person.totp_secret === undefined) return false
      const secret = base32.decode(secrets.open(person.totp_secret, secretFieldOf(person)))
      const step = await stepOf(secret, digitsOf(code))
      if (step === null) return false
      const unused = where.and(
        where.eq('id', person.id),
        where.eq('totp_secret', person.totp_secret),
        where.lt('totp_step', step),
      )
      return (await rows.updateWhere(unused, { totp_step: step })) !== null
    },
    /** Uses a recovery code. Needs no delay, because there are too many codes to guess. */
    async recover(person: Person, code: string): Promise<boolean> {
      const plain = plainOf(code)
      if (!recoveryForm.test(plain)) return false
      const hash = await sha256Hex(plain)
      const unused = where.and(where.eq('id', person.id), hasValue('recovery_hashes', hash))
      const patch = { pull: { recovery_hashes: [hash] }, set: { updated_date: clock.now().toISOString() } }
      return (await documents.collection(User).updateOne(unused, patch)) !== null
    },
    isRecoveryCode: (code: string) => recoveryForm.test(plainOf(code)),
    async renewCodes(person: Person): Promise<string[]> {
      const { codes, recovery_hashes } = await newCodes()
      await rows.update(person.id, { recovery_hashes })
      return codes
    },
    async disable(person: Person): Promise<void> {
      await rows.update(person.id, {
        totp_secret: undefined,
        totp_step: undefined,
        recovery_hashes: undefined,
      })
    },
  }
}

export type SecondFactor = ReturnType<typeof createSecondFactor>

const hasValue = (field: string, value: string) => ({ op: 'all', field, values: [value] }) as const

const secretFieldOf = ({ id, workspace_id }: Person) => ({
  entity: 'User',
  workspace_id,
  id,
  field: 'totp_secret',
})

const digitsOf = (code: string) => code.replaceAll(/\D/g, '').slice(0, 6)
/** Returns a code in its stored form. People may type it in capitals, with or without the dashes. */
const plainOf = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '')

async function newCodes() {
  const codes = Array.from({ length: codesMax }, () => randomCode(16).replaceAll(/(.{4})(?=.)/g, '$1-'))
  return { codes, recovery_hashes: await Promise.all(codes.map((code) => sha256Hex(plainOf(code)))) }
}
