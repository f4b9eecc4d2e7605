import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PluginDeclaration } from 'renown'
import { englishText, setupStep } from 'renown/pages'
import { corePlugins } from '../../core/product/core-plugins'
import { builtin } from '../../plugins'
import { type Gate, type GateOptions, startGate } from './harness'
import { signedIn } from './signed-in'

/** How `testSetupStep` drives a step of setting up a workspace. */
export interface SetupStepSuite {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those in the box. */
  readonly with?: readonly PluginDeclaration[]
  /** Name of the step. */
  readonly name: string
  /** Options of `startGate`, such as its column store. */
  readonly gate?: Omit<GateOptions, 'plugins'>
  /** Sets the step up in a workspace. */
  prepare(gate: Gate, workspaceId: string): Promise<void>
}

/**
 * Writes the tests of the contract of `workspace.setup`: that the step is done only in the workspace where it was set up, writes nothing,
 * and leads to a page that is there. Call it in a test file.
 */
export function testSetupStep(suite: SetupStepSuite): void {
  const held: { gate?: Gate } = {}
  const gate = () => held.gate as Gate
  const step = () => {
    const found = gate()
      .owner.extensions(setupStep)
      .find(({ name }) => name === suite.name)
    if (!found) throw new Error(`The plugin ${suite.plugin.name} provides no setup step ${suite.name}`)
    return found
  }
  const isDone = (workspaceId: string) => step().isDone(gate().owner, workspaceId)

  describe(`the setup step ${suite.name}`, () => {
    beforeAll(async () => {
      const own = [suite.plugin, ...(suite.with ?? [])]
      const names = new Set([...own, ...corePlugins].map((plugin) => plugin.name))
      const box = builtin.filter((plugin) => !names.has(plugin.name))
      const needed = corePlugins.filter((plugin) => ['jobs'].includes(plugin.name))
      const others = needed.filter((plugin) => !own.some((one) => one.name === plugin.name))
      held.gate = await startGate({ ...suite.gate, plugins: [...own, ...box, ...others] })
    })
    afterAll(() => held.gate?.stop())

    test('is done only in the workspace where it was set up', async () => {
      const { workspaceId, otherWorkspaceId } = gate().tenant
      const all = [workspaceId, otherWorkspaceId, gate().stranger.workspaceId]
      expect(await Promise.all(all.map(isDone))).toEqual([false, false, false])
      await suite.prepare(gate(), gate().stranger.workspaceId)
      expect(await Promise.all(all.map(isDone))).toEqual([false, false, true])
      await suite.prepare(gate(), workspaceId)
      expect(await Promise.all(all.map(isDone))).toEqual([true, false, true])
    })

    test('has a label of two to four words, and leads to a page that is there', async () => {
      expect(englishText(step().label)).toMatch(/^\S+( \S+){1,3}$/)
      const { cookie } = await signedIn(gate())
      const page = await gate().ask(step().href, { key: null, headers: { cookie } })
      expect(page.status).toBe(200)
    })
  })
}
