import { labelOf, type ReachedAccount } from '../contracts/connection'
import type { Row } from '../contracts/entity'
import { nullIfConflict, Refusal } from '../contracts/errors'
import { oneLine } from '../contracts/one-line'
import type { OwnerContext } from '../contracts/plugin'
import { where } from '../contracts/where'
import { Connection } from '../outbound/Connection'
import { tokenSecretField } from '../outbound/connections'
import { auditOf } from '../tenancy/audit/audit'
import { Workspace } from '../tenancy/Workspace'
import { publishAccount } from './publish-account'

type ConnectionRow = Row<typeof Connection>

/** An account, with the workspace that it is connected to. */
export interface NewAccount extends ReachedAccount {
  readonly workspace_id: string
  readonly provider: string
}

interface Kept {
  readonly connection: ConnectionRow
  /** Whether it was connected before. */
  readonly replaced: boolean
}

/**
 * Stores an account and its encrypted tokens. Connecting the same account again replaces them. Starts the
 * work that waits for it.
 */
export async function keepConnection(ctx: OwnerContext, given: NewAccount): Promise<Kept> {
  const { tokens, account_name, account_type, workspace_id, provider, account_id } = given
  const account = { workspace_id, provider, account_id }
  const workspace = await ctx.rows(Workspace).get(account.workspace_id)
  if (!workspace?.is_active) throw new Refusal('not_found', `There is no workspace ${account.workspace_id}.`)
  const known = await find(ctx, account)
  const id = known?.id ?? ctx.newId(Connection)
  const name = oneLine(account_name)
  const kept = {
    ...sealed(ctx, { id, workspace_id: account.workspace_id }, tokens),
    ...(name === '' ? {} : { account_name: name }),
    ...(account_type === undefined ? {} : { account_type }),
    state: 'connected' as const,
  }
  const connection = known
    ? await ctx.rows(Connection).update(id, { ...kept, error: undefined, renewal_until: undefined })
    : await ctx
        .rows(Connection)
        .insert({ id, ...account, ...kept })
        .catch(nullIfConflict)
  // Somebody else connected or removed the account at the same time.
  if (!connection) return keepConnection(ctx, given)
  const action = known ? 'connection.renew' : 'connection.add'
  await auditConnection(ctx, workspace.agency_id, action, connection)
  await publishAccount(ctx, account)
  return { connection, replaced: known !== undefined }
}

/** Records a connection in the audit log, with the person or command that changed it. */
const auditConnection = (
  ctx: OwnerContext,
  agency_id: string,
  action: 'connection.add' | 'connection.renew',
  connection: ConnectionRow,
): Promise<void> =>
  auditOf(ctx).record({
    ...(ctx.by ?? { host: ctx.apiUrl }),
    agency_id,
    action,
    credential: connection.id,
    subject: accountName(ctx, connection),
  })

/** Describes a connection for the audit log: the name of the account and its id at the service. */
export const accountName = (
  { providers }: Pick<OwnerContext, 'providers'>,
  { provider, account_id, account_name }: Pick<ConnectionRow, 'provider' | 'account_id' | 'account_name'>,
) =>
  `${labelOf(providers, provider)}: ${account_name === undefined ? account_id : `${account_name} (${account_id})`}`

async function find(
  ctx: OwnerContext,
  account: Pick<NewAccount, 'workspace_id' | 'provider' | 'account_id'>,
) {
  const { workspace_id, provider, account_id } = account
  const same = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('provider', provider),
    where.eq('account_id', account_id),
  )
  const [known] = await ctx.rows(Connection).list({ where: same, limit: 1 })
  return known
}

/** Old tokens that are not replaced are removed, because they belong to another grant. */
function sealed(
  { outbound: { secrets }, now }: OwnerContext,
  row: Pick<ConnectionRow, 'id' | 'workspace_id'>,
  { access, refresh }: NewAccount['tokens'],
) {
  const { livesMs } = access ?? {}
  const endsAt = livesMs === undefined ? undefined : new Date(now().getTime() + livesMs).toISOString()
  return {
    access_token: access && secrets.seal(access.token, tokenSecretField(row, 'access_token')),
    access_token_ends_at: endsAt,
    refresh_token:
      refresh === undefined ? undefined : secrets.seal(refresh, tokenSecretField(row, 'refresh_token')),
  }
}
