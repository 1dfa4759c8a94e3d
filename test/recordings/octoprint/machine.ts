// An OctoPrint that plays by the steps of a recording.
import { OctoPrint } from '../../../src/demo/machines/octoprint';
import { recordSteps } from '../recording';

export class OctoPrintMachine extends recordSteps(OctoPrint) {
  online(): this {
    this.error = '';
    return this.flag('Operational').sendStatus();
  }

  startPrintFromCard(path: string): this {
    this.isOnCard = true;
    return this.startPrint(path);
  }

  /** Prints for that many seconds, with a message every ten. @param completion percent at the end */
  print(seconds: number, completion: number): this {
    const { completion: from, printTime } = this.progress as { completion: number; printTime: number };
    for (let gone = 10; gone <= seconds; gone += 10) {
      this.wait(10);
      const done = from + ((completion - from) * gone) / seconds;
      const time = printTime + gone;
      const left = Math.round((seconds - gone) / 2);
      this.progress = { completion: done, filepos: Math.round(done * 12_453), printTime: time, printTimeLeft: left };
      this.sendStatus();
    }
    return this;
  }

  /** The time of a print from the card continues during a pause: the printer reports its progress all the while. */
  halt(seconds: number): this {
    this.pause();
    const { printTime } = this.progress as { printTime: number };
    for (let gone = 10; gone <= seconds; gone += 10) {
      this.wait(10);
      if (this.isOnCard) this.progress = { ...this.progress, printTime: printTime + gone, printTimeLeft: gone };
      this.sendStatus();
    }
    return this;
  }

  /** The first messages still report the time with the pause. */
  pauseFor(seconds: number): this {
    const { printTime } = this.progress as { printTime: number };
    this.halt(seconds).resume().wait(0.5).sendStatus();
    this.progress = { ...this.progress, printTime };
    return this.wait(0.5).sendStatus().wait(-1);
  }

  /** The command "restart", which OctoPrint accepts only during a pause: the same file starts again, and nothing reports the first print. */
  restartPrint(): this {
    return this.wait(0.5).startPrint(this.path as string, 0.1);
  }

  /** The firmware sends "start" while it prints. */
  reset(): this {
    this.isByUser = false;
    this.wait(0.1).event('PrintCancelling').flag('Cancelling', 'cancelling', 'printing');
    return this.cancelled(() => this.wait(0.1).sendEvent('PrinterReset', { idle: false }));
  }

  /** A file is sent to the card of the printer. */
  sendToCard(path: string, seconds: number): this {
    Object.assign(this, { path, isOnCard: true });
    this.progress = { completion: 0, filepos: 0, printTime: 0, printTimeLeft: null };
    return this.flag('Sending file to SD', 'printing').sendStatus().print(seconds, 100).clear().sendStatus();
  }

  /** The selected file is uploaded again. */
  replace(path: string): this {
    this.files[path] = { ...this.files[path], uploaded: this.clock, length: null };
    this.progress = { completion: 0, filepos: 0, printTime: null, printTimeLeft: null };
    return this.sendStatus();
  }

  /** @param seconds a message each ten */
  stayIdle(seconds = 50): this {
    for (let gone = 0; gone < seconds; gone += 10) this.wait(10).sendStatus();
    return this;
  }

  /** The program starts again with nothing selected. */
  restart(seconds: number): this {
    return this.down().wait(seconds).clear().up();
  }
}
