import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PluginDeclaration } from 'renown'
import { corePlugins } from '../../core/product/core-plugins'
import { builtin } from '../../plugins'
import { type Gate, type GateOptions, startGate } from './harness'
import { formOf, signedIn } from './signed-in'

/** How `testInboxSource` drives a source of the inbox. */
export interface InboxSourceSuite {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those in the box. */
  readonly with?: readonly PluginDeclaration[]
  /** Name of the source. */
  readonly name: string
  /** Options of `startGate`, such as its column store. */
  readonly gate?: Omit<GateOptions, 'plugins'>
  /** Puts rows into the workspace, so that the source has exactly one entry. */
  prepare(gate: Gate, workspaceId: string): Promise<void>
  /** Words of the entry. */
  readonly shows: string
  /** Changes the entry so that it comes back after it was done. Left out where it never changes. */
  change?(gate: Gate): Promise<void>
}

/**
 * Writes the tests of the contract of `inbox.entry`: that the entry is shown in its workspace only, leads to a page that is there, can be
 * done, and comes back when it changes. Call it in a test file.
 */
export function testInboxSource(suite: InboxSourceSuite): void {
  const { name, shows } = suite
  const held: { gate?: Gate; cookie?: string; csrf?: string } = {}
  const gate = () => held.gate as Gate
  const open = async (path: string) => {
    const answer = await gate().ask(path, { key: null, headers: { cookie: held.cookie ?? '' } })
    const html = (await answer.text()).replace(/^.*<main/s, '<main')
    return { status: answer.status, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
  }
  const inbox = (workspace: string, more = '') => open(`/app/w/${workspace}/inbox?kind=${name}${more}`)
  const entry = async () => {
    const { html } = await inbox(gate().tenant.workspaceId)
    return new RegExp(`entry=(${name}%7E[^"&]+)"`).exec(html)?.[1]
  }

  describe(`the inbox source ${name}`, () => {
    beforeAll(async () => {
      const own = [suite.plugin, ...(suite.with ?? [])]
      const names = new Set([...own, ...corePlugins].map((plugin) => plugin.name))
      const box = builtin.filter((plugin) => !names.has(plugin.name))
      const needed = corePlugins.filter((plugin) => ['jobs', 'inbox'].includes(plugin.name))
      const others = needed.filter((plugin) => !own.some((one) => one.name === plugin.name))
      held.gate = await startGate({ ...suite.gate, plugins: [...own, ...box, ...others] })
      const person = await signedIn(gate())
      held.cookie = person.cookie
      held.csrf = person.session.csrf_token
    })
    afterAll(() => held.gate?.stop())

    test('is readable, and empty without rows', async () => {
      const { status, text, html } = await inbox(gate().tenant.workspaceId)
      expect(`${status} ${text}`).toMatch(/^200 /)
      expect(html).not.toMatch(new RegExp(`kind=${name}"[^>]*>[^<]*<span class="badge bad"`))
      expect(text).toContain('All done.')
    })

    test('has an entry in its own workspace only', async () => {
      const { workspaceId, otherWorkspaceId } = gate().tenant
      for (const place of [otherWorkspaceId, gate().stranger.workspaceId]) await suite.prepare(gate(), place)
      expect((await inbox(workspaceId)).text).not.toContain(shows)
      await suite.prepare(gate(), workspaceId)
      const { html, text } = await inbox(workspaceId)
      expect(text).toContain(shows)
      expect(html.match(new RegExp(`entry=${name}%7E`, 'g'))).toHaveLength(1)
    })

    test('leads to a page that is there', async () => {
      const { html } = await inbox(gate().tenant.workspaceId, `&entry=${await entry()}`)
      const href = /class="button primary"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*class="button primary"/.exec(
        html,
      )
      const path = (href?.[1] ?? href?.[2])?.replaceAll('&amp;', '&')
      if (path !== undefined) expect(`${path} ${(await open(path)).status}`).toBe(`${path} 200`)
    })

    test('is hidden when it is done, and comes back when it changes', async () => {
      const { workspaceId } = gate().tenant
      const key = decodeURIComponent((await entry()) ?? '')
      const { html } = await inbox(workspaceId, `&entry=${encodeURIComponent(key)}`)
      const state = /name="state" value="([^"]*)"/.exec(html)?.[1] ?? ''
      const fields = { csrf: held.csrf ?? '', entry: key, state, kind: '', following: '' }
      const done = await gate().ask('/app/inbox/done', formOf(fields, { cookie: held.cookie ?? '' }))
      expect(done.status).toBe(303)
      expect((await inbox(workspaceId)).text).not.toContain(shows)
      if (!suite.change) return
      await suite.change(gate())
      expect(decodeURIComponent((await entry()) ?? '')).toBe(key)
    })
  })
}
