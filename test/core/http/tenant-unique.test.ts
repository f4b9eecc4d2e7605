import { expect, test } from 'bun:test'
import { startGate } from '../../support/harness'
import { describeGateStores } from '../../support/mongo'
import { notes } from '../../support/notes-plugin'

describeGateStores('a unique value on %s', (_, open) => {
  test('conflicts in one workspace, and tells nobody what another workspace holds', async () => {
    const documents = await open()
    const gate = await startGate({ plugins: [notes], ...(documents ? { documents } : {}) })
    try {
      const draft = async (title: string, more: object = {}) => {
        const { dry_run, ...asked } = { dry_run: false, ...more }
        const response = await gate.call('draftNote', { title, slug: 'once', dry_run }, asked)
        return { status: response.status, text: await response.text() }
      }
      const theirs = { key: gate.stranger.key }
      const second = { workspace: gate.tenant.otherWorkspaceId }
      expect((await draft('mine')).status).toBe(200)
      for (const elsewhere of [theirs, second]) {
        expect((await draft('a dry run', { ...elsewhere, dry_run: true })).status).toBe(200)
        expect((await draft('theirs', elsewhere)).status).toBe(200)
      }
      for (const again of [{}, theirs, second, { dry_run: true }, { ...theirs, dry_run: true }]) {
        const { status, text } = await draft('again', again)
        expect([status, text.includes('same slug'), text.includes('workspace_id')]).toEqual([
          409,
          true,
          false,
        ])
      }
    } finally {
      await gate.stop()
      await documents?.close()
    }
  })
})
