/** @jsxImportSource ../jsx */
import { KeyList } from '../parts/key-hints'
import { everywhere } from './keys'

/** The list of keys, shown on `?`. The page contains it only if single-key shortcuts are on. */
export const Help = () => (
  <dialog data-help="" aria-label="Keyboard shortcuts">
    <div class="stack key-hints">
      <h2>Keyboard shortcuts</h2>
      <div data-page-keys="" />
      <KeyList of={everywhere} />
      <button type="button" class="button plain" data-close="">
        Close
      </button>
    </div>
  </dialog>
)
