import * as v from 'valibot'
import type { CredentialInfo, WriteContext } from '../../contracts/context'
import { type Fault, Refusal } from '../../contracts/errors'
import type { PreparedChange, ProposalReads } from '../../contracts/proposal'
import { toStorable } from '../../contracts/values'
import { where } from '../../contracts/where'
import { canonicalJson, dayMs, defineOperation, field, isConflict, isRefusal, nearest } from '../../kit'
import { faultsOf, unknownField } from '../../kit/faults'
import { addressIn, baseOf } from '../../kit/page-addresses'
import { visible } from '../../kit/visible-text'
import { sha256HexSync } from '../../process/crypto'
import { type Changes, changesInWords, unknownChangeCode } from './changes'
import { Proposal, type ProposalRow } from './Proposal'

/** How long a proposal waits, and how long it is kept after that. */
export const waitsMs = 14 * dayMs
export const storedMs = 90 * dayMs

/** Maximum open proposals, so that an agent cannot fill the inbox. */
export const openMax = { workspace: 100, credential: 30 } as const
const inputCharactersMax = 20_000
const reasonMax = 500

/** Proposes a change that the caller may not make itself. It is stored, and a person decides. */
export const proposeChange = (changes: Changes) =>
  defineOperation({
    name: 'proposeChange',
    summary: 'Propose a change for a person to approve. Proposal has its state',
    class: 'draft',
    crossAgency: 'own',
    input: v.strictObject({
      change: field.text([...changes.keys()].join(', ')),
      input: field.anything(`Fields of the change: ${changesInWords(changes)}`),
      reason: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1),
        v.maxLength(reasonMax),
        v.description('Why, for the person who decides'),
      ),
    }),
    output: v.object({
      proposal_id: field.code('Id of the proposal'),
      state: field.code('open, until a person decides'),
      title: field.text('The change in one line'),
      effect: field.text('What happens if a person approves it, with the exact text'),
      expires_at: field.instant('When it expires if nobody decides'),
      deduplicated: field.flag('The same proposal was already open'),
    }),
    inside: ({ change }) => {
      const command = changes.get(change)
      return command ? { field: 'input', schema: command.input, command: change } : null
    },
    async run(ctx, { change: name, input, reason }) {
      // The gateway adds the settings for this operation.
      const change = await prepared(ctx as ProposalReads & WriteContext, changes, name, input)
      const digest = digestOf(name, change)
      const known = await openWith(ctx, digest)
      if (known) return shown(known, true)
      await refuseFull(ctx)
      const now = ctx.now().getTime()
      const { id, app } = ctx.credential
      try {
        const row = await ctx.rows(Proposal).insert({
          change: name,
          record_type: change.record.entity,
          record_id: change.record.id,
          title: toStorable(change.title.slice(0, 200)),
          effect: toStorable(change.effect),
          reason: visible(reason),
          proposed_by: app ?? 'Agent key',
          credential: id ?? '',
          page: addressIn(baseOf(ctx.workspace.id), change.href),
          input: change.input as Record<string, unknown>,
          basis: change.basis,
          digest,
          state: 'open',
          expires_at: new Date(now + waitsMs).toISOString(),
          expire_at: new Date(now + storedMs).toISOString(),
        })
        return shown(row, false)
      } catch (error) {
        const other = isConflict(error) ? await openWith(ctx, digest) : null
        if (!other) throw error
        return shown(other, true)
      }
    },
  })

/** Returns what is the same for equal proposals. */
export const digestOf = (name: string, { input, basis, effect }: PreparedChange<unknown>): string =>
  sha256HexSync(canonicalJson([name, input, basis, effect]))

const shown = ({ id, state, title, effect, expires_at }: ProposalRow, deduplicated: boolean) => ({
  proposal_id: id,
  state,
  title,
  effect,
  expires_at,
  deduplicated,
})

/** Returns the change that an agent describes. Throws a Refusal that names each invalid field. */
async function prepared(
  ctx: ProposalReads,
  changes: Changes,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<PreparedChange<unknown>> {
  const command = changes.get(name)
  if (!command) throw unknownChange(changes, name)
  const { takes, prepare } = command.proposal
  const unknown = Object.keys(input).filter((one) => !takes.includes(one))
  const parsed = v.safeParse(command.input, input)
  const faults: Fault[] = [
    ...unknown.slice(0, 20).map((one) => unknownField(`/input/${one.slice(0, 80)}`, one.slice(0, 80), takes)),
    ...(parsed.success ? [] : faultsOf(parsed.issues, '/input')),
    ...Object.entries(input).flatMap(([one, value]) => hiddenSigns(one, value)),
  ]
  const size = canonicalJson(input).length
  if (size > inputCharactersMax)
    faults.push({ pointer: '/input', code: 'too_long', message: `at most ${inputCharactersMax} characters` })
  if (!parsed.success || faults.length > 0)
    throw new Refusal('invalid_field', `The input of ${name} is invalid. It takes ${takes.join(', ')}.`, {
      errors: faults,
    })
  const change = await prepare(ctx, parsed.output).catch((error) => Promise.reject(inInput(error, takes)))
  refuseUnseen(change)
  // A title is not published, so the signs that nobody sees in a name of a stranger only go.
  return { ...change, title: visible(change.title).toWellFormed(), effect: change.effect.toWellFormed() }
}

/** Returns an error with the fields that it names as fields of `input`. One that the agent did not give is `/input`. */
function inInput(error: unknown, takes: readonly string[]): unknown {
  if (!isRefusal(error) || !error.details.errors) return error
  const errors = error.details.errors.map((fault) => {
    const [, head = ''] = (fault.pointer ?? '').split('/')
    return { ...fault, pointer: takes.includes(head) ? `/input${fault.pointer}` : '/input' }
  })
  return new Refusal(error.code, error.message, { ...error.details, errors })
}

function unknownChange(changes: Changes, name: string): Refusal {
  const allowed = [...changes.keys()]
  const meant = nearest(name, allowed)
  const fault = { pointer: '/change', code: unknownChangeCode, message: 'cannot be proposed', allowed }
  return new Refusal('invalid_field', 'The body of proposeChange is invalid: change.', {
    errors: [meant ? { ...fault, did_you_mean: meant } : fault],
  })
}

/** A person must see all that is published, so a text with characters that nobody sees is refused. */
function hiddenSigns(name: string, value: unknown): Fault[] {
  const isSeen = typeof value !== 'string' || visible(value) === value.replaceAll('\r', '')
  return isSeen
    ? []
    : [
        {
          pointer: `/input/${name.slice(0, 80)}`,
          code: 'invalid',
          message: 'must not contain invisible characters',
        },
      ]
}

/** Drafts and posts that agents wrote earlier are published too, so they are held to the same. */
function refuseUnseen({ effect }: PreparedChange<unknown>): void {
  const [fault] = hiddenSigns('', effect)
  if (!fault) return
  throw new Refusal(
    'invalid_field',
    'The text contains characters that nobody can see. Write it again without them, then propose it.',
    { errors: [{ ...fault, pointer: '/input' }] },
  )
}

async function openWith(ctx: WriteContext, digest: string): Promise<ProposalRow | null> {
  const open = where.and(where.eq('digest', digest), where.eq('state', 'open'))
  const [row] = await ctx.rows(Proposal).list({ where: open, limit: 1 })
  return row ?? null
}

async function refuseFull(ctx: WriteContext): Promise<void> {
  const rows = ctx.rows(Proposal)
  const open = where.eq('state', 'open')
  const own = where.and(open, where.eq('credential', (ctx.credential as CredentialInfo).id ?? ''))
  const all = await rows.count(open)
  const mine = await rows.count(own)
  if (all < openMax.workspace && mine < openMax.credential) return
  throw new Refusal(
    'conflict',
    `Too many proposals wait for people: at most ${openMax.credential} of one credential, and ${openMax.workspace} in a workspace.`,
    { hint: 'Propose again when people have decided about the others.' },
  )
}
