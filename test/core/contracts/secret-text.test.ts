import { expect, test } from 'bun:test'
import { withoutSecrets } from '../../../core/contracts/secret-text'
import { mintToken } from '../../../core/process/crypto'

test('secrets are taken out of a text, wherever in it they stand; what is public stays', async () => {
  for (const kind of ['key', 'at', 'rt', 'ac', 'cs', 'fwd', 'link', 'ses']) {
    const { token } = await mintToken(`rnw_${kind}_`)
    expect(withoutSecrets(`/a/${token}?b=${token}x&c=${token.slice(0, 40)}`)).toBe(
      `/a/rnw_${kind}_…?b=rnw_${kind}_…&c=rnw_${kind}_…`,
    )
  }
  const { token } = await mintToken('rnw_site_')
  for (const text of [token, 'a key begins with rnw_key_', 'nothing']) expect(withoutSecrets(text)).toBe(text)
})
