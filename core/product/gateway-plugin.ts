import { AgentKey } from '../auth/AgentKey'
import { keyRevoke, keyRotate } from '../auth/commands'
import { OAuthClient } from '../auth/oauth/clients/OAuthClient'
import { appDisconnect, appList } from '../auth/oauth/commands'
import { OAuthCode } from '../auth/oauth/grants/OAuthCode'
import { OAuthGrant } from '../auth/oauth/grants/OAuthGrant'
import { OAuthRequest } from '../auth/oauth/grants/OAuthRequest'
import { OAuthToken } from '../auth/oauth/grants/OAuthToken'
import { gatewayPluginName } from '../contexts/records'
import { workspaceFigures } from '../contracts/workspace-figures'
import { workspaceLimits } from '../contracts/workspace-limits'
import { coreEvents } from '../events/core-events'
import { EventEntry } from '../events/EventEntry'
import { eventSweep } from '../events/event-sweep'
import { aggregateRecords } from '../http/aggregateRecords'
import { compareWorkspaces } from '../http/compareWorkspaces'
import { countRecords } from '../http/countRecords'
import { getLimits } from '../http/getLimits'
import { listEvents } from '../http/listEvents'
import { weeklyOverview } from '../http/weeklyOverview'
import { actCommands, definePlugin } from '../kit'
import { IdempotentAnswer } from '../requests/IdempotentAnswer'
import { UsageDay } from '../requests/UsageDay'
import { AuditEntry } from '../tenancy/audit/AuditEntry'
import { auditList, auditSweep } from '../tenancy/audit/audit-commands'

/** The record types of the gateway, and the commands for keys. Part of every registry. */
export const gatewayPlugin = definePlugin({
  name: gatewayPluginName,
  summary:
    'Agent keys, idempotent answers, daily quotas, the log of events, and the operations that count records and list events',
  renown: '^1.0.0',
  entities: [
    OAuthClient,
    OAuthRequest,
    OAuthCode,
    OAuthGrant,
    OAuthToken,
    AgentKey,
    AuditEntry,
    IdempotentAnswer,
    UsageDay,
    EventEntry,
  ],
  events: coreEvents,
  operations: [aggregateRecords, compareWorkspaces, countRecords, getLimits, listEvents],
  extensionPoints: [workspaceFigures, workspaceLimits],
  commands: [...actCommands([keyRotate, keyRevoke, appDisconnect]), appList, auditList],
  jobs: { auditSweep, eventSweep },
  prompts: [weeklyOverview],
})
