-- How old a slot is: of a printer with as many slots as it may have, the oldest unused ones make room.
ALTER TABLE "printer_slots" ADD COLUMN "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
