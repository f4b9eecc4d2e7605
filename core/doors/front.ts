// What every plugin needs: declarations, fields, rows, refusals, time.

/// <reference types="bun-types" />

export type * from '../contracts/act'
export type * from '../contracts/context'
export type * from '../contracts/day-sums'
export type * from '../contracts/demo'
export { demoLoggedDays } from '../contracts/demo'
export type * from '../contracts/deprecation'
export { deprecated } from '../contracts/deprecation'
export type * from '../contracts/enqueue'
export type * from '../contracts/entity'
export type * from '../contracts/errors'
export {
  isConflict,
  isRefusal,
  isUnavailable,
  messageOf,
  nullIfConflict,
  Refusal,
  recoverIf,
} from '../contracts/errors'
export type * from '../contracts/event-type'
export type * from '../contracts/extension'
export { defineExtensionPoint } from '../contracts/extension'
export type * from '../contracts/field'
export { field, isTimezone, timezone } from '../contracts/field'
export type * from '../contracts/ignored-value'
export { oneLine } from '../contracts/one-line'
export type * from '../contracts/operation'
export type * from '../contracts/owner'
export type * from '../contracts/people'
export type * from '../contracts/plugin'
export type * from '../contracts/queue'
export type * from '../contracts/service-fault'
export {
  answeredDelivery,
  faultInfo,
  foreignFault,
  isLastAttempt,
  isPassing,
  isServiceFault,
  ServiceFault,
  statusFault,
  throwIfStoreAway,
  unreadable,
  unreadableCode,
  usesAttempt,
  waitOfAttempt,
} from '../contracts/service-fault'
export type * from '../contracts/setting'
export { defineSettings, setting, settingForm } from '../contracts/setting'
export type * from '../contracts/states'
export { dayMs, hourMs, minuteMs } from '../contracts/time'
export { trimTrailing } from '../contracts/trim-trailing'
export type * from '../contracts/upkeep'
export type * from '../contracts/values'
export { day, instant, isDay, normaliseInstant, ours, text, toStorable } from '../contracts/values'
export type * from '../contracts/where'
export { everything, where } from '../contracts/where'
export {
  defineCommand,
  defineEntity,
  defineEvent,
  defineOperation,
  defineOperatorCommand,
  definePlugin,
  definePrompt,
  demoRows,
  demoRowsOf,
  foreignEntity,
} from '../kit'
export { actOperation, chosenOperation } from '../kit/acts/act-operation'
export { defineAct } from '../kit/acts/define-act'
export { actCommands } from '../kit/acts/on-page'
export { shownActs } from '../kit/acts/shown-acts'
export type * from '../kit/all-pages'
export { allPages } from '../kit/all-pages'
export { daysBetween, mondayOf, shiftDay } from '../kit/calendar-days'
export { recordSchema, visibleRow } from '../kit/fields'
export type * from '../kit/periods'
export {
  dayIn,
  dayStart,
  instantsOf,
  localTime,
  periodInput,
  periodOf,
  periodSchema,
  todayOf,
} from '../kit/periods'
export type * from '../kit/refuse-ignored'
export { refuseIgnored, refuseOthers } from '../kit/refuse-ignored'
export { refusedField } from '../kit/refused-field'
export { requireRow } from '../kit/require-row'
export { runDeclared } from '../kit/run-command'
export type * from '../kit/states'
export { defineStates, mayMove, moveState, refusedMove } from '../kit/states'
export type * from '../kit/statistics/rates'
export { defineRate } from '../kit/statistics/rates'
export { wilson } from '../kit/statistics/wilson'
export { nearest } from '../kit/suggest'
