; What electron-builder's own script leaves out for an installation of one user: associations that offer Corvet without
; taking a file type away from another program, CDs and folders, and a question about the data.

!macro customInstall
  !insertmacro offerFor "dcm" "DICOM radiograph"
  !insertmacro offerFor "dicom" "DICOM radiograph"
  ; A DICOMDIR has no extension: the CD or folder in which it lies is opened.
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Corvet" "" "Open radiographs with Corvet"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Corvet\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Drive\shell\Corvet" "" "Open radiographs with Corvet"
  ; Of a drive "%1" becomes "D:\", whose backslash would take the quotation mark for a part of the name.
  WriteRegStr SHELL_CONTEXT "Software\Classes\Drive\shell\Corvet\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1\."'
  ; corvet://open?… of practice software. What follows the dashes is never taken for an option.
  WriteRegStr SHELL_CONTEXT "Software\Classes\corvet" "" "URL:Corvet"
  WriteRegStr SHELL_CONTEXT "Software\Classes\corvet" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\corvet\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro offerFor EXTENSION DESCRIPTION
  WriteRegStr SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "Corvet.${EXTENSION}" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\Corvet.${EXTENSION}" "" "${DESCRIPTION}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Corvet.${EXTENSION}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro withdrawFor EXTENSION
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "Corvet.${EXTENSION}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Corvet.${EXTENSION}"
!macroend

!macro customUnInstall
  !insertmacro withdrawFor "dcm"
  !insertmacro withdrawFor "dicom"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Directory\shell\Corvet"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Drive\shell\Corvet"
  ; Starting at log-in, which the program itself switches on; an update keeps the choice.
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "electron.app.${PRODUCT_NAME}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  ${endIf}
  DeleteRegKey SHELL_CONTEXT "Software\Classes\corvet"
  ; An update removes the old version first: the data stay. So they do without a person to ask.
  ${ifNot} ${isUpdated}
  ${andIfNot} ${Silent}
    MessageBox MB_YESNO|MB_ICONEXCLAMATION|MB_DEFBUTTON2 "Delete films, readings, backups and the billing ledger in $APPDATA\Corvet, too? They are the clinic's records and cannot be recovered." IDNO keepData
    RMDir /r "$APPDATA\Corvet"
    keepData:
  ${endIf}
!macroend
