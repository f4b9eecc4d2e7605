/** @jsxImportSource ../jsx */
import { everywhere } from './keys'

/** The list of keys, shown on `?`. The page contains it only if single-key shortcuts are on. */
export const Help = () => (
  <dialog data-help="" aria-label="Keyboard shortcuts">
    <div class="stack key-hints">
      <h2>Keyboard shortcuts</h2>
      <div data-page-keys="" />
      <dl>
        {everywhere.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button plain" data-close="">
        Close
      </button>
    </div>
  </dialog>
)
