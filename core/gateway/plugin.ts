import { AgentKey } from '../auth/AgentKey'
import { keyRevoke, keyRotate } from '../auth/commands'
import { definePlugin } from '../index'
import { IdempotentAnswer } from './IdempotentAnswer'
import { UsageDay } from './UsageDay'

/** What the gate itself keeps, and the owner's commands on keys. Part of every registry. */
export const gate = definePlugin({
  name: 'gate',
  summary: 'Agent keys, idempotent answers and daily quotas',
  renown: '^1.0.0',
  entities: [AgentKey, IdempotentAnswer, UsageDay],
  commands: [keyRotate, keyRevoke],
})
