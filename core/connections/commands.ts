import * as v from 'valibot'
import {
  type ConnectionDeclaration,
  defineCommand,
  field,
  Refusal,
  readSecretFile,
  type TokenFileDeclaration,
  where,
} from '../kit'
import { Connection } from '../outbound/Connection'
import { declaredConnections } from '../registry/declared-connections'
import { forgetConnection, keepConnection } from './keep-connection'

/** Connects an account with a token from the service. Connecting the same account again replaces its token. */
export const connectionAdd = (connections: readonly ConnectionDeclaration[]) => {
  const byToken = connections.filter(({ tokenFile }) => tokenFile !== undefined)
  const each = (part: (file: TokenFileDeclaration) => string) =>
    byToken
      .flatMap(({ provider, tokenFile }) => (tokenFile ? [`${part(tokenFile)} for ${provider}`] : []))
      .join(', ')
  return defineCommand({
    name: 'connection add',
    summary: "Connect a workspace's account with a service by its token",
    input: v.strictObject({
      provider: field.oneOf(
        byToken.map(({ provider }) => provider),
        'The service',
      ),
      account_id: v.pipe(
        v.string(),
        v.regex(/^[\w./-]{1,200}$/, 'an account id of at most 200 letters, digits and _ . / -'),
        v.description(`The service's own id: ${each(({ accountId }) => accountId)}`),
      ),
      workspace_id: field.text('Workspace it belongs to'),
      token_file: field.text(
        `File that holds the token alone: ${each(({ called }) => called)}. Files leave no trace in the history of a shell`,
      ),
      account_name: v.optional(v.pipe(v.string(), v.maxLength(200), v.description('What people call it'))),
    }),
    async run(ctx, { provider, account_id, workspace_id, token_file, account_name }) {
      const { tokenFile } = declaredConnections(ctx).get(provider) ?? {}
      const refusal = tokenFile?.refusal?.(account_id)
      if (refusal !== undefined) throw new Refusal('invalid_field', refusal)
      const token = readSecretFile(token_file, { called: 'one token', isWord: true })
      const tokens = tokenFile?.kind === 'refresh' ? { refresh: token } : { access: { token } }
      const account = { workspace_id, provider, account_id, account_name }
      const { connection, replaced } = await keepConnection(ctx, { ...account, tokens })
      return { connection_id: connection.id, provider, account_id, replaced }
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
export const connectionRemove = defineCommand({
  name: 'connection remove',
  summary: 'Forget a connected account and its tokens. Renown keeps the data that it read',
  input: v.strictObject({ connection_id: field.text('The account, as `connection list` shows it') }),
  positional: ['connection_id'],
  async run(ctx, { connection_id }) {
    const connection = await ctx.rows(Connection).get(connection_id)
    if (!connection || !(await forgetConnection(ctx, connection)))
      throw new Refusal('not_found', `There is no connection ${connection_id}.`)
    return { connection_id, removed: true }
  },
})
