import * as v from 'valibot'
import {
  type ConnectionDeclaration,
  defineAct,
  defineCommand,
  field,
  Refusal,
  readSecretFile,
  type TokenFileDeclaration,
  where,
} from '../kit'
import { Connection } from '../outbound/Connection'
import { declaredConnections } from '../registry/declared-connections'
import { Workspace } from '../tenancy/Workspace'
import { accountName, keepConnection } from './keep-connection'

/** Connects an account with a token from the service. Connecting the same account again replaces its token. */
export const connectionAdd = (connections: readonly ConnectionDeclaration[]) => {
  const byToken = connections.filter(({ tokenFile }) => tokenFile !== undefined)
  const each = (part: (file: TokenFileDeclaration) => string) =>
    byToken
      .flatMap(({ provider, tokenFile }) => (tokenFile ? [`${part(tokenFile)} for ${provider}`] : []))
      .join(', ')
  return defineAct({
    name: 'connection add',
    summary: "Connect a workspace's account with a service by its token",
    on: {
      entity: Workspace,
      field: 'workspace_id',
      called: 'workspace',
      inShell: {
        fields: { workspace_id: field.text('Workspace it belongs to') },
        areOptions: true,
        find: (ctx, { workspace_id }) => ctx.rows(Workspace).get(String(workspace_id)),
      },
    },
    fields: {
      provider: field.oneOf(
        byToken.map(({ provider }) => provider),
        'The service',
      ),
      account_id: v.pipe(
        v.string(),
        v.regex(/^[\w./-]{1,200}$/, 'an account id of at most 200 letters, digits and _ . / -'),
        v.description(`The service's own id: ${each(({ accountId }) => accountId)}`),
      ),
      token_file: field.text(
        `File that holds the token alone: ${each(({ called }) => called)}. Files leave no trace in the history of a shell`,
      ),
      account_name: v.optional(v.pipe(v.string(), v.maxLength(200), v.description('What people call it'))),
    },
    isShellOnly: true,
    undo: 'connection remove',
    recordedByRun: ['connection.add', 'connection.renew'],
    async run(ctx, { row: { id: workspace_id }, input }) {
      const { provider, account_id, token_file, account_name } = input
      const { tokenFile } = declaredConnections(ctx).get(provider) ?? {}
      const refusal = tokenFile?.refusal?.(account_id)
      if (refusal !== undefined) throw new Refusal('invalid_field', refusal)
      const token = readSecretFile(token_file, { called: 'one token', isWord: true })
      const tokens = tokenFile?.kind === 'refresh' ? { refresh: token } : { access: { token } }
      const account = { workspace_id, provider, account_id, account_name }
      const { connection, replaced } = await keepConnection(ctx, { ...account, tokens })
      return { answer: { connection_id: connection.id, provider, account_id, replaced } }
    },
  })
}

/** Lists every connected account, without its secrets. */
export const connectionList = defineCommand({
  name: 'connection list',
  summary: 'List connected accounts and whether they work',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only those of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const own = workspace_id === undefined ? undefined : where.eq('workspace_id', workspace_id)
    const rows = await ctx.rows(Connection).list({ ...(own ? { where: own } : {}), limit: 1_000 })
    return {
      connections: rows.map(({ id, provider, account_id, account_name, state, error, ...row }) => ({
        connection_id: id,
        provider,
        account_id,
        account_name,
        state,
        error,
        last_used_at: row.last_used_at,
        workspace_id: row.workspace_id,
      })),
    }
  },
})

/** Removes an account and its tokens. Keeps the data that Renown read. */
export const connectionRemove = defineAct({
  name: 'connection remove',
  summary: 'Forget a connected account and its tokens. Renown keeps the data that it read',
  on: {
    entity: Connection,
    field: 'connection_id',
    called: 'connection',
    hint: '`renown connection list` shows the id of each account.',
  },
  only: 'owner',
  auth: 'recent',
  label: 'Remove the account',
  done: 'The account and its tokens are removed. Renown keeps the data that it read.',
  audit: {
    action: 'connection.remove',
    what: 'Account with a service removed',
    subject: (ctx, row) => accountName(ctx, row),
    isOfCredential: true,
  },
  async run(ctx, { row: { id: connection_id } }) {
    if ((await ctx.rows(Connection).removeWhere(where.eq('id', connection_id))) === 0)
      throw new Refusal('not_found', `There is no connection ${connection_id}.`)
    return { answer: { connection_id, removed: true } }
  },
})
