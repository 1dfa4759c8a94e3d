// The dialog that edits the connection of a printer from its tile.
import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { PrinterToConnectDocument } from '../../generated/web-operations';
import { DeviceEditor } from '../devices/device-editor';
import { announce } from '../parts/announcer';
import { NO_ANSWER } from '../parts/problem';

interface ConnectionDialogProps {
  printerId: string;
  isOpen: boolean;
  onClose: () => void;
}

export default function ConnectionDialog({ printerId, isOpen, onClose }: ConnectionDialogProps) {
  const { data, error } = useQuery(PrinterToConnectDocument, { variables: { id: printerId } });
  useEffect(() => {
    if (error) announce(NO_ANSWER);
  }, [error]);
  const device = data?.printer?.device;
  if (!device) return null;
  const keepOpen = () => {};
  const editor = { row: device, template: undefined, isOpen, open: keepOpen, openCopy: keepOpen, close: onClose };
  return <DeviceEditor owner={{ type: 'printer', id: printerId }} editor={editor} />;
}
