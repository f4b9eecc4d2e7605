/** @jsxImportSource ../../kit/jsx */

import type { frameWords } from '../../framework/words'
import { KeyList } from '../../kit/parts/key-hints'
import { useWords } from '../../kit/parts/language'
import { everywhere } from './keys'

/** The list of keys, shown on `?`. The page contains it only if single-key shortcuts are on. */
export function Help() {
  const words = useWords<typeof frameWords>()
  return (
    <dialog data-help="" aria-label={words.text('shortcuts')}>
      <div class="stack key-hints">
        <h2>{words('shortcuts')}</h2>
        <div data-page-keys="" />
        <KeyList of={everywhere.map(([key, what]) => [key, words(what)] as const)} />
        <button type="button" class="button plain" data-close="">
          {words('close')}
        </button>
      </div>
    </dialog>
  )
}
