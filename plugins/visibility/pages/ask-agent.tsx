/** @jsxImportSource renown/web */
import { CopyField } from 'renown/web'

/** A call of an operation: over MCP, and over REST. */
export interface AgentCall {
  /** The question that the call answers. */
  readonly question: string
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

interface Props {
  readonly calls: readonly AgentCall[]
  readonly workspaceId: string
  readonly apiUrl: string
}

/** The questions of a page as calls to copy, for agents and programs. */
export const AskAgent = ({ calls, workspaceId, apiUrl }: Props) => (
  <details class="card fold">
    <summary>Ask your agent, or get these figures over the API</summary>
    <div class="stack">
      {calls.map((call) => (
        <section key={call.operation} class="stack" aria-label={call.question}>
          <p>{`“${call.question}”`}</p>
          <CopyField
            name={`mcp-${call.operation}`}
            label="Over MCP"
            of={call.operation}
            value={mcpCall(call, workspaceId)}
          />
          <CopyField
            name={`rest-${call.operation}`}
            label="Over REST"
            of={call.operation}
            value={restCall(call, workspaceId, apiUrl)}
          />
        </section>
      ))}
    </div>
  </details>
)

/** The call over MCP: the tool and its arguments. */
export const mcpCall = ({ operation, input }: AgentCall, workspace_id: string): string =>
  `${operation} ${JSON.stringify({ ...input, workspace_id })}`

/** The call over REST, for a shell, in one line. The key is read from the environment. */
export const restCall = ({ operation, input }: AgentCall, workspaceId: string, apiUrl: string): string =>
  [
    `curl -X POST ${apiUrl}/api/functions/${operation}`,
    `-H "Authorization: Bearer $RENOWN_KEY"`,
    `-H "X-Workspace-Id: ${workspaceId}"`,
    `-H "Content-Type: application/json"`,
    `-d ${quoted(JSON.stringify(input))}`,
  ].join(' ')

/** One word of a shell, whatever is in it. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
