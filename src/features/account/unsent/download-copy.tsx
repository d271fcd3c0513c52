// Downloads everything on this device that is not on the server.
import { useState } from 'react';
import { usePerson } from '../../../state/hooks.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { unsentFile } from './unsent-file.ts';

/** `onSaved` receives the file's name. */
export function DownloadCopyButton({ onSaved }: { readonly onSaved: (name: string) => void }) {
  const { unsentCopies } = usePerson();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const file = await unsentCopies()
      .then((copies) => unsentFile(copies, new Date()))
      .catch(() => null);
    setSaving(false);
    if (file === null) return toast('Couldn’t make the copy. Try again.');
    saveFile(file.bytes, file.name);
    onSaved(file.name);
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
