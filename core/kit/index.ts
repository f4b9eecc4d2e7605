import type { GenericSchema } from 'valibot'
import type { DemoRow, DemoRows } from '../contracts/demo'
import type { AnyEntity, EntityDeclaration, Fields, ForeignEntity } from '../contracts/entity'
import type { EventType } from '../contracts/event-type'
import type { OperationClass, OperationDeclaration } from '../contracts/operation'
import type { ActionDeclaration } from '../contracts/page'
import type { CommandDeclaration, PluginDeclaration, PromptDeclaration } from '../contracts/plugin'
import { noteForeign, notePlugin } from './declared-at'

export * from '../contracts'
export { defineAct } from './acts/define-act'
export { actCommands, actForEach, actForm, actsOnPage, chosenAct } from './acts/on-page'
export { shownActs } from './acts/shown-acts'
export * from './all-pages'
export * from './attempts/act'
export * from './attempts/attempt'
export * from './attempts/proof'
export * from './attempts/run-step'
export * from './bare-domain'
export * from './canonical-json'
export { defineReading } from './define-reading'
export * from './drafts'
export * from './evidence'
export * from './fetch-refusal'
export { recordSchema, visibleRow } from './fields'
export * from './oauth-token'
export * from './online-only'
export * from './periods'
export { englishText } from './phrases'
export * from './platform-ids'
export * from './post-webhook'
export * from './product-state'
export * from './public-origin'
export * from './refuse-ignored'
export * from './refused-field'
export * from './registry-keys'
export * from './require-row'
export * from './robots'
export { runDeclared } from './run-command'
export * from './same-words'
export * from './secret-file'
export * from './shown-domain'
export * from './signed-registry'
export * from './stated-contacts'
export * from './states'
export * from './statistics/rates'
export { nearest } from './suggest'
export * from './tables/csv'
export * from './tables/each-page'
export * from './tables/file-columns'
export * from './tables/xlsx'
export * from './tables/zip'
export * from './text-length'
export * from './web-address'
export * from './webhook-signature'
export * from './writer-in'

/** Declares a record type. It is a type error if a scope, index or visibility list names an unknown field. */
export const defineEntity = <const Name extends string, const F extends Fields>(
  declaration: EntityDeclaration<Name, F>,
): EntityDeclaration<Name, F> => declaration

/** Declares an operation. The class decides the type of its context: a `read` cannot write. */
export const defineOperation = <
  const Name extends string,
  const C extends OperationClass,
  I extends GenericSchema,
  O extends GenericSchema,
>(
  declaration: OperationDeclaration<Name, C, I, O>,
): OperationDeclaration<Name, C, I, O> => declaration

/** Declares a type of events. */
export const defineEvent = <Data extends GenericSchema>(declaration: EventType<Data>): EventType<Data> =>
  declaration

/** Declares a command of the command line. */
export const defineCommand = <I extends GenericSchema>(
  declaration: CommandDeclaration<I>,
): CommandDeclaration<I> => declaration

/** Declares a task that people can request, offered to MCP clients as a prompt. */
export const definePrompt = (declaration: PromptDeclaration): PromptDeclaration => declaration

/** Declares a form of a page: its input and what it does. */
export const defineAction = <I extends GenericSchema>(
  declaration: ActionDeclaration<I>,
): ActionDeclaration<I> => declaration

/** Returns rows of an entity for a plugin's demo. */
export const demoRows = <E extends AnyEntity>(entity: E, rows: readonly DemoRow<E>[]): DemoRows => ({
  entity,
  rows,
})

/** Returns the rows of one entity among the rows of a demo. */
export const demoRowsOf = <E extends AnyEntity>(
  sets: readonly DemoRows[],
  entity: E,
): readonly DemoRow<E>[] =>
  sets.flatMap((set) => ('entity' in set && set.entity === entity ? (set.rows as DemoRow<E>[]) : []))

/** Declares a plugin: one domain of the product. */
export const definePlugin = (declaration: PluginDeclaration): PluginDeclaration => {
  notePlugin(declaration)
  return declaration
}

/**
 * Declares an entity of another plugin by its name and the fields that you need. It is typed without
 * importing the plugin, and checked at start. List it under `reads` of the plugin, or the product does not
 * start. Its rows are limited to the workspace like any others.
 *
 * `writes` names the fields that jobs, commands and pages of this plugin change. The other plugin must list
 * them under `shared`. Operations cannot change them, and no plugin inserts or removes rows of another
 * plugin.
 */
export const foreignEntity = <
  const Name extends string,
  const F extends Fields,
  const W extends keyof F & string = never,
>(
  name: Name,
  fields: F,
  { writes = [] }: { readonly writes?: readonly W[] } = {},
): ForeignEntity<Name, F, W> => {
  const entity = {
    name,
    summary: `${name} of another plugin`,
    idPrefix: '',
    store: 'documents',
    scope: { by: 'workspace', field: 'workspace_id' },
    reads: [],
    fields,
    sortable: [],
    foreign: { writes },
  } as const
  noteForeign(entity)
  return entity
}

/** Whether an entity was declared with `foreignEntity`. */
export const isForeign = (entity: AnyEntity): boolean => 'foreign' in entity

/** Returns the fields of another plugin's entity that are listed under `writes`. */
export const writesOf = (entity: AnyEntity): readonly string[] =>
  (entity as Partial<ForeignEntity<string, Fields, string>>).foreign?.writes ?? []
