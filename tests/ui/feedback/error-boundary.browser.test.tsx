import { StrictMode, type ReactNode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Palette } from '../../../src/features/palette/palette.tsx';
import { Button } from '../../../src/ui/controls/button.tsx';
import { ErrorBoundary, LayerBoundary } from '../../../src/ui/feedback/error-boundary.tsx';
import { ErrorDetailsContext } from '../../../src/ui/feedback/failed-part.tsx';
import { latePart } from '../../../src/ui/feedback/late-part.tsx';
import { Dialog } from '../../../src/ui/floating/dialog.tsx';
import { Menu } from '../../../src/ui/floating/menu.tsx';
import { Popover } from '../../../src/ui/floating/popover.tsx';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';
import '../../../src/ui/feedback/feedback.css';

let isBroken = true;

function Part() {
  if (isBroken) throw new Error('broken on purpose');
  return <p>The part</p>;
}

/** Renders `part` beside a field, which has to keep what is typed into it. Returns the errors that React caught. */
async function renderBeside(part: ReactNode): Promise<unknown[]> {
  isBroken = true;
  const root = document.body.appendChild(document.createElement('div'));
  const caught: unknown[] = [];
  const react = createRoot(root, { onCaughtError: (error) => void caught.push(error) });
  react.render(
    <StrictMode>
      <ErrorDetailsContext value={async () => 'the details'}>
        <input aria-label="Beside" />
        {part}
      </ErrorDetailsContext>
    </StrictMode>,
  );
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  await expect.element(page.getByLabelText('Beside')).toBeVisible();
  (page.getByLabelText('Beside').element() as HTMLInputElement).value = 'kept';
  return caught;
}

const note = () => page.getByRole('alert');

/** Not the pointer's way: it waits for frames, of which a busy machine has few. */
async function press(name: string, within: Pick<typeof page, 'getByRole'> = page): Promise<void> {
  const button = within.getByRole('button', { name });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).click();
}
const expectKept = () => expect(page.getByLabelText('Beside').element()).toHaveValue('kept');

test('a part that fails leaves the rest of the screen, and can be tried again', async () => {
  const caught = await renderBeside(
    <ErrorBoundary>
      <Part />
    </ErrorBoundary>,
  );
  await expect
    .poll(() => note().element().textContent)
    .toMatch(/^This part of Weft stopped working\. The rest still works\. Code WF-app-/);
  expect(caught).toHaveLength(1);
  await press('Try again');
  await expect.poll(() => caught).toHaveLength(2);
  isBroken = false;
  await press('Try again');
  await expect.element(page.getByText('The part')).toBeVisible();
  expectKept();
});

/** In something that can have the focus, as every part of the app is. */
function inPlace(part: ReactNode) {
  return (
    <section aria-label="Place" tabIndex={-1}>
      {part}
    </section>
  );
}
const focused = () => document.activeElement;

test('a part that fails while it has the focus leaves it in its place, also when it is shown again', async () => {
  function Field() {
    const [text, setText] = useState('');
    if (text !== '' && isBroken) throw new Error('broken on purpose');
    return <input aria-label="Field" onChange={() => setText('typed')} />;
  }
  await renderBeside(
    inPlace(
      <ErrorBoundary>
        <Field />
      </ErrorBoundary>,
    ),
  );
  await page.getByLabelText('Field').fill('a');
  await expect.element(note()).toBeVisible();
  expect(focused()?.textContent).toMatch(/^This part of Weft stopped working.*Try againCopy details$/);
  isBroken = false;
  (page.getByRole('button', { name: 'Try again' }).element() as HTMLElement).focus();
  await press('Try again');
  await expect.element(page.getByLabelText('Field')).toBeVisible();
  expect(focused()).toBe(page.getByLabelText('Place').element());
});

test('a part that fails without the focus leaves it where it is, and “Dismiss” returns it there', async () => {
  await renderBeside(
    inPlace(
      <LayerBoundary>
        <Part />
      </LayerBoundary>,
    ),
  );
  await expect.element(note()).toBeVisible();
  const beside = page.getByLabelText('Beside').element() as HTMLElement;
  beside.focus();
  const dismiss = page.getByRole('button', { name: 'Dismiss' }).element() as HTMLElement;
  dismiss.focus();
  dismiss.click();
  await expect.poll(() => note().elements()).toEqual([]);
  expect(focused()).toBe(beside);
});

test('below the bar it is a banner of one row', async () => {
  await page.viewport(1000, 600);
  await renderBeside(
    <header className="top">
      <ErrorBoundary>
        <Part />
      </ErrorBoundary>
    </header>,
  );
  await expect.element(note()).toBeVisible();
  expect(note().element().closest('header')?.offsetHeight).toBe(40);
});

test('“Copy details” copies them, or shows them where the browser refuses', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await renderBeside(
    <ErrorBoundary>
      <Part />
    </ErrorBoundary>,
  );
  await press('Copy details');
  await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copied).toHaveBeenCalledWith('the details');
  copied.mockRejectedValueOnce(new Error('refused'));
  vi.spyOn(document, 'execCommand').mockReturnValueOnce(false);
  await press('Copied');
  await expect.element(page.getByText('the details')).toBeVisible();
  vi.restoreAllMocks();
});

test('a part is shown again when what it depends on changes', async () => {
  function Changing() {
    const [block, setBlock] = useState(1);
    return (
      <>
        <ErrorBoundary resetKey={block}>
          <Part />
        </ErrorBoundary>
        <button type="button" onClick={() => setBlock(block + 1)}>
          Change
        </button>
      </>
    );
  }
  await renderBeside(<Changing />);
  await expect.element(note()).toBeVisible();
  isBroken = false;
  await press('Change');
  await expect.element(page.getByText('The part')).toBeVisible();
});

test('if what stands in its place fails as well, the boundary above takes over', async () => {
  function Broken(): ReactNode {
    useEffect(() => {
      throw new Error('broken on purpose');
    });
    return <p>Broken</p>;
  }
  const caught = await renderBeside(
    <ErrorBoundary renderFailed={() => <p>Above</p>}>
      <ErrorBoundary renderFailed={() => <Broken />}>
        <Part />
      </ErrorBoundary>
    </ErrorBoundary>,
  );
  await expect.element(page.getByText('Above')).toBeVisible();
  expect(caught.length).toBeLessThan(10);
  expectKept();
});

test('a dialog that fails can be closed', async () => {
  function Asked() {
    const [open, setOpen] = useState(true);
    return (
      <Dialog title="Share" open={open} onOpenChange={setOpen}>
        <Part />
      </Dialog>
    );
  }
  await renderBeside(<Asked />);
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await press('Close', page.getByRole('dialog'));
  await expect.poll(() => page.getByRole('dialog').elements()).toEqual([]);
  expectKept();
});

const menu = (
  <Menu trigger={<Button>Open</Button>}>
    <Part />
  </Menu>
);
const popover = (
  <Popover label="Details" trigger={<Button>Open</Button>}>
    <Part />
  </Popover>
);

test.each(['menu', 'popover'])('a %s that fails stays what fails', async (what) => {
  await renderBeside(what === 'menu' ? menu : popover);
  await press('Open');
  await expect.element(note()).toBeVisible();
  expectKept();
});

test('a palette that fails stays what fails', async () => {
  const groupsOf = (): never => {
    throw new Error('broken on purpose');
  };
  await renderBeside(
    <Palette label="Find" icon={null} groupsOf={groupsOf} enterText="" hasBeside={false} onClose={() => undefined} />,
  );
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  expectKept();
});

test('a late dialog that fails is dismissed, and tried again when it is opened again', async () => {
  const Late = latePart<{ open: boolean; onOpenChange: (open: boolean) => void }>(async () => Part);
  function Opener() {
    const [open, setOpen] = useState(true);
    return (
      <>
        <Late open={open} onOpenChange={setOpen} />
        <button type="button" onClick={() => setOpen(true)}>
          Open again
        </button>
      </>
    );
  }
  await renderBeside(<Opener />);
  await expect.element(note()).toBeVisible();
  await press('Dismiss');
  await expect.poll(() => note().elements()).toEqual([]);
  await press('Open again');
  await expect.element(note()).toBeVisible();
  isBroken = false;
  await press('Try again');
  await expect.element(page.getByText('The part')).toBeVisible();
  expectKept();
});
