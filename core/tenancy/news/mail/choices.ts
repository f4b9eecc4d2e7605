import type { Row } from '../../../contracts/entity'
import { isRefusal } from '../../../contracts/errors'
import { hourMs, type OwnerContext, where } from '../../../kit'
import { User } from '../../User'
import { Workspace } from '../../Workspace'
import { Notification } from '../Notification'
import { dueAt } from './due-at'
import { type Frequency, MailChoice } from './MailChoice'
import { mayMail } from './may-mail'

type Choice = Row<typeof MailChoice>

const tokenPrefix = 'rnw_mail_'
const peopleMax = 1_000
/** Longer than the interval of the task, so that a restart misses nothing. */
const lookBackMs = 25 * hourMs

/** Returns a person's choice for a workspace. Null if there is none yet. */
export async function choiceOf(
  ctx: OwnerContext,
  userId: string,
  workspaceId: string,
): Promise<Choice | null> {
  const one = where.and(where.eq('workspace_id', workspaceId), where.eq('user_id', userId))
  const [choice] = await ctx.rows(MailChoice).list({ where: one, limit: 1 })
  return choice ?? null
}

/** Returns the default: owners get a daily mail, members get none. */
export const defaultFrequency = ({ role }: Pick<Row<typeof User>, 'role'>): Frequency =>
  role === 'owner' ? 'daily' : 'off'

/** Sets how often a person gets mail about a workspace. What happened while mail was off is not sent afterwards. */
export async function choose(
  ctx: OwnerContext,
  person: Row<typeof User>,
  workspace: Row<typeof Workspace>,
  frequency: Frequency,
): Promise<Choice> {
  const now = ctx.now()
  const due_at = dueAt(frequency, workspace.timezone, now)
  const before = await choiceOf(ctx, person.id, workspace.id)
  if (!before) return newChoice(ctx, person, workspace, frequency, now)
  const changes = before.frequency === 'off' ? { mailed_until: now.toISOString() } : {}
  const changed = await ctx.rows(MailChoice).update(before.id, { frequency, due_at, ...changes })
  return changed ?? before
}

async function newChoice(
  ctx: OwnerContext,
  person: Row<typeof User>,
  workspace: Row<typeof Workspace>,
  frequency: Frequency,
  from: Date,
): Promise<Choice> {
  const { token } = await ctx.newToken(tokenPrefix)
  const due_at = dueAt(frequency, workspace.timezone, ctx.now())
  try {
    return await ctx.rows(MailChoice).insert({
      workspace_id: workspace.id,
      user_id: person.id,
      frequency,
      unsubscribe_token: token,
      mailed_until: from.toISOString(),
      ...(due_at === undefined ? {} : { due_at }),
    })
  } catch (error) {
    // Somebody chose at the same time.
    const made = isRefusal(error) ? await choiceOf(ctx, person.id, workspace.id) : null
    if (made) return made
    throw error
  }
}

/** Creates the default choices of people who can see a workspace with unread notifications. */
export async function createDefaults(ctx: OwnerContext, signal: AbortSignal): Promise<void> {
  const since = new Date(ctx.now().getTime() - lookBackMs)
  const recent = where.and(where.eq('is_read', false), where.gte('created_date', since.toISOString()))
  const seen = new Set<string>()
  for await (const { workspace_id } of ctx.rows(Notification).each({ where: recent })) {
    if (signal.aborted) return
    if (seen.has(workspace_id)) continue
    seen.add(workspace_id)
    await createDefaultsIn(ctx, workspace_id, since)
  }
}

async function createDefaultsIn(ctx: OwnerContext, workspaceId: string, since: Date): Promise<void> {
  const workspace = await ctx.rows(Workspace).get(workspaceId)
  if (!workspace || workspace.is_demo === true) return
  const theirs = where.eq('agency_id', workspace.agency_id)
  const [people, choices] = await Promise.all([
    ctx.rows(User).list({ where: theirs, limit: peopleMax }),
    ctx.rows(MailChoice).list({ where: where.eq('workspace_id', workspaceId), limit: peopleMax }),
  ])
  const chosen = new Set(choices.map(({ user_id }) => user_id))
  for (const person of people)
    if (!chosen.has(person.id) && mayMail(person, workspace))
      await newChoice(ctx, person, workspace, defaultFrequency(person), since)
}
