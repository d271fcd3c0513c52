// Downloads everything on this device that is not on the server.
import { useState } from 'react';
import { usePerson } from '../../../state/hooks.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { unsentFile } from './unsent-file.ts';

/** `onSaved` receives the file's name. */
export function DownloadCopyButton({ onSaved }: { readonly onSaved: (name: string) => void }) {
  const { unsentCopies } = usePerson();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const { bytes, name } = unsentFile(await unsentCopies(), new Date());
    saveFile(bytes, name);
    setSaving(false);
    onSaved(name);
  };
  return (
    <Button disabled={isSaving} onClick={() => void save()}>
      Download a copy
    </Button>
  );
}

export function CopyDownloaded({ name }: { readonly name: string }) {
  return (
    <p role="status">
      The copy is in your downloads: <b>{name}</b>
    </p>
  );
}
